import { getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { changesSomething, iso, Text, Timestamp } from "../../domain/fields.ts";
import {
  type AccountProvider,
  type ConnectedAccounts,
  isManualMethod,
  type LaterMethod,
  laterLabel,
  type ManualMethod,
  type MethodSettings,
  type PaymentChoices,
  type PaymentMethod,
  type ProviderName,
  paymentMethods,
  paymentProviders,
  paymentTerms,
  settingsOf,
} from "../../domain/payment-methods.ts";
import { capitalized } from "../../platform/administration/resource.ts";
import { type AuditedTable, applyChange, applyCreation } from "../../platform/administration/write-queries.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { paymentSettings } from "../../platform/db/schema.ts";
import { isSame, merge } from "../../platform/db/statements.ts";
import { editedMeanwhile, type IfMatch, requireVersion } from "../../platform/http/version.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { connectedAccounts, isLive, readAccounts } from "./accounts.ts";

type SettingsRow = typeof paymentSettings.$inferSelect;
type SettingsState = Pick<SettingsRow, "methods">;
type ProviderSettings = Pick<Settings, ProviderName>;

/** Maximum characters of instructions, which e-mails contain. */
const MAX_INSTRUCTIONS = 500;

const online = {
  offered: z.boolean().describe("True if buyers can choose the method"),
  guests: z.boolean().describe("True if guests can use the method without an account"),
};

const manual = {
  ...online,
  instructions: Text.max(MAX_INSTRUCTIONS).describe(
    "Shown at checkout, and on the order and in its e-mails until it is paid",
  ),
  days: z
    .int()
    .min(1)
    .max(90)
    .describe(
      "Days in which an unpaid order holds its stock. Then it expires, after 3 days at most if its buyer has no verified e-mail address",
    ),
};

const later = {
  ...manual,
  days: manual.days.describe(
    "Days in which the order is to be paid. It then expires, unless it can ship before payment",
  ),
  ship_before_payment: z
    .boolean()
    .describe("True if orders with something to ship are processed without waiting for payment. They never expire"),
};

const wallet = { offered: online.offered };

/** The fields of each method's settings. Only accounts have a wallet. */
const fields = {
  wallet,
  credit_card: online,
  paypal: online,
  bank_transfer: manual,
  invoice: later,
  cash: later,
  test_card: online,
} satisfies {
  [Method in PaymentMethod]: Partial<Record<keyof MethodSettings, z.ZodType>> &
    (Method extends ManualMethod ? { days: z.ZodType } : { days?: never }) &
    (Method extends LaterMethod ? { ship_before_payment: z.ZodType } : { ship_before_payment?: never });
};

/** A field of a method's settings, such as `cash.days`. */
export type MethodField = {
  [Method in PaymentMethod]: `${Method}.${keyof (typeof fields)[Method] & string}`;
}[PaymentMethod];

const partOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial().optional();

export const PaymentSettingsUpdate = z
  .strictObject({
    wallet: partOf(fields.wallet),
    credit_card: partOf(fields.credit_card),
    paypal: partOf(fields.paypal),
    bank_transfer: partOf(fields.bank_transfer),
    invoice: partOf(fields.invoice),
    cash: partOf(fields.cash),
    test_card: partOf(fields.test_card),
  } satisfies Record<PaymentMethod, z.ZodType>)
  .refine(...changesSomething)
  .meta({ id: "PaymentSettingsUpdate", description: "Fields that are not sent keep their values" });
type PaymentSettingsUpdate = z.output<typeof PaymentSettingsUpdate>;

export const PaymentSettings = z
  .object({
    wallet: z.object(wallet),
    credit_card: z.object(online),
    paypal: z.object(online),
    bank_transfer: z.object(manual),
    invoice: z.object(later),
    cash: z.object(later),
    test_card: z.object(online),
    connected: z
      .object({ stripe: z.boolean(), paypal: z.boolean(), test: z.boolean() } satisfies Record<ProviderName, z.ZodType>)
      .describe("True for each payment provider that is connected. Until then, checkouts do not list its methods"),
    updated_at: Timestamp.nullable().describe("Time of the last change. Null if the settings were never saved"),
  } satisfies Record<PaymentMethod | "connected" | "updated_at", z.ZodType>)
  .meta({ id: "PaymentSettings" });

/** In test mode, no money moves. */
export type ProviderMode = "live" | "test";

/** The modes of payment providers. A provider that is not connected has none. */
export type ConnectedProviders = { readonly [Name in ProviderName]?: ProviderMode | null };

/** The deployment's accounts, and those that administrators connected. */
export function connectedProviders(settings: ProviderSettings, accounts: ConnectedAccounts): ConnectedProviders {
  const modeOf = (name: AccountProvider): ProviderMode | null => {
    const live = settings[name] ? isLive(settings[name]) : accounts[name];
    return live === undefined ? null : live ? "live" : "test";
  };
  return { stripe: modeOf("stripe"), paypal: modeOf("paypal"), test: settings.test && "test" };
}

/** Keeps the fields that each method has. */
export const toPaymentSettings = ({ methods, updatedAt }: SettingsRow, connected: ConnectedProviders) =>
  PaymentSettings.parse({
    ...Object.fromEntries(paymentMethods.map((method) => [method, settingsOf(methods, method)])),
    connected: Object.fromEntries(paymentProviders.map((name) => [name, Boolean(connected[name])])),
    updated_at: updatedAt === 0 ? null : iso(updatedAt),
  });

export const readConnectedProviders = async ({ db, settings }: { db: Database; settings: ProviderSettings }) =>
  connectedProviders(settings, connectedAccounts(await readAccounts(db)));

const ID = 1;

export const readPaymentSettings = async (db: Database): Promise<SettingsRow> =>
  (await db.select().from(paymentSettings).get()) ?? { id: ID, methods: {}, createdAt: 0, updatedAt: 0 };

/** Settings as the audit log shows them, under names such as `cash.offered`. */
const auditedMethods = ({ methods }: SettingsState) =>
  Object.fromEntries(
    paymentMethods.flatMap((method) =>
      Object.entries(settingsOf(methods, method))
        .filter(([name]) => name in fields[method])
        .map(([name, value]) => [`${method}.${name}`, value]),
    ),
  );

const auditedSettings: AuditedTable<SettingsRow, SettingsState> = {
  table: paymentSettings,
  name: "payment_settings",
  subject: "payment_settings",
  json: jsonRow<SettingsRow>(getTableColumns(paymentSettings)),
  audited: auditedMethods,
  refusals: { "payment_settings.id": editedMeanwhile.row_changed },
};

/** Changes how the shop offers payment methods. The first change inserts the row. */
export async function changePaymentSettings(
  ctx: AuthorContext,
  { change, ifMatch }: { change: PaymentSettingsUpdate; ifMatch: IfMatch },
): Promise<SettingsRow> {
  const before = await readPaymentSettings(ctx.db);
  const methods = Object.fromEntries(
    paymentMethods.map((method) => [method, merge(settingsOf(before.methods, method), change[method] ?? {})]),
  );
  if (before.updatedAt > 0) {
    const decide = () => ({ columns: { methods } });
    return applyChange(ctx, { target: auditedSettings, action: "update", before, ifMatch, decide });
  }
  requireVersion(ifMatch, before.updatedAt);
  if (isSame(auditedMethods(before), auditedMethods({ methods }))) return before;
  const state = { methods };
  return applyCreation(ctx, { target: auditedSettings, row: { id: ID, ...state }, where: sql`id = ${ID}`, state });
}

/** A method of the checkout, as quotes list it. */
export const PaymentOption = z
  .object({
    method: z.enum(paymentMethods),
    label: z.string(),
    instructions: z.string().describe("Payment instructions. Empty if the method needs none"),
    guests: z.boolean().describe("False if the method requires an account"),
    days: z.int().nullable().describe("Days in which the order can be paid. Null if it is paid right away"),
    ship_before_payment: z.boolean().describe("True if goods are shipped before they are paid"),
    test: z.boolean().describe("True if the method moves no money. Tell the buyer so"),
  })
  .meta({ id: "PaymentOption", description: "A payment method that the shop offers" });

/** The methods to show at checkout: those offered whose provider is connected. */
export function paymentOptions(
  choices: PaymentChoices,
  connected: ConnectedProviders,
): z.output<typeof PaymentOption>[] {
  return paymentMethods.flatMap((method) => {
    const { offered, guests, instructions, days, ship_before_payment } = settingsOf(choices, method);
    const { label, provider } = paymentTerms[method];
    if (!offered || (provider !== null && !connected[provider])) return [];
    return {
      method,
      label: capitalized(ship_before_payment ? laterLabel(method) : label),
      instructions,
      guests,
      days: isManualMethod(method) ? days : null,
      ship_before_payment,
      test: provider !== null && connected[provider] === "test",
    };
  });
}
