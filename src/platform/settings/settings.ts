import * as z from "zod";
import { toMinor } from "../../domain/money.ts";
import { type EmailSettings, emailBindings, readEmailSettings } from "./email.ts";
import { DevelopmentError, misconfigured } from "./misconfigured.ts";
import { type PaymentSettings, paymentBindings, readPaymentSettings } from "./payments.ts";
import { readTokenKeys, TokenKeyList, type TokenKeys } from "./token-keys.ts";
import { readWebhookSettings, type WebhookSettings, webhookBindings } from "./webhooks.ts";

/** A list that rotates: the newest makes, every one of them is accepted. */
export type Secrets = readonly [newest: string, ...older: string[]];

/** The deployment's secrets and choices, read from the Worker's bindings and known to be usable. */
export type Settings = {
  apiKeySecrets: Secrets;
  linkSecrets: Secrets;
  tokenKeys: TokenKeys;
  tokenIssuer: string;
  /** ISO 4217. */
  currency: string;
  publicCatalog: boolean;
  unpaidLimits: UnpaidLimits;
  /** Whether accounts order only once their e-mail address is verified. */
  verifiedBuyers: boolean;
  email: EmailSettings;
  webhooks: WebhookSettings;
  /** Minor units that a member of staff who is no administrator may move in 24 hours. */
  staffSpendingLimit: number;
  retention: Retention;
  /** Minor units above which money takes a password or code that was shown lately. */
  reauthenticateAbove: number;
  /** Whether e-mail addresses may belong to domains that are reserved for examples and tests. True in development alone. */
  allowsReservedDomains: boolean;
} & PaymentSettings;

/** How many days personal data stays where nothing else ends it. */
type Retention = { auditAddressDays: number; emailDays: number };

/**
 * What one buyer's unpaid orders may hold: `units` of a product, or `percent` of its stock, whichever is more. Of an account
 * whose address is not verified, `unverified` units in all.
 */
export type UnpaidLimits = { orders: number; units: number; percent: number; unverified: number };

/** A secret that is short or repeats itself was typed, or copied from an example. */
const Secret = z
  .string()
  .min(32, "is shorter than 32 characters")
  .refine(
    (secret) =>
      new Set(secret).size >= 12 && !/secret|change|replace|example|placeholder|password|random|your-/i.test(secret),
    "is not random: it looks like a placeholder",
  );

const SecretList = z
  .string("is missing")
  .transform((list) => list.split(",").map((secret) => secret.trim()))
  .pipe(z.tuple([Secret], Secret));

const wholeFrom = (least: number, most: number) =>
  z
    .string("is missing")
    .regex(/^\d{1,9}$/, "is not a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `is not from ${least} to ${most}`);

const TrueOrFalse = z.enum(["true", "false"], 'is neither "true" nor "false"').transform((text) => text === "true");

const Bindings = z.object({
  API_KEY_SECRET: SecretList,
  LINK_SECRET: SecretList,
  TOKEN_KEYS: TokenKeyList,
  TOKEN_ISSUER: z.string().min(1, "is empty"),
  CURRENCY: z.string().regex(/^[A-Z]{3}$/, "is not an ISO 4217 code"),
  PUBLIC_CATALOG: TrueOrFalse,
  UNPAID_ORDERS: wholeFrom(1, 1_000),
  UNPAID_UNITS: wholeFrom(0, 1_000_000),
  UNPAID_PERCENT: wholeFrom(0, 100),
  STAFF_SPENDING_LIMIT: wholeFrom(0, 100_000_000),
  RETAIN_AUDIT_ADDRESSES_DAYS: wholeFrom(31, 3_650),
  RETAIN_EMAILS_DAYS: wholeFrom(1, 3_650),
  UNVERIFIED_UNITS: wholeFrom(0, 1_000_000),
  DEVELOPMENT: z.string().optional(),
  VERIFIED_BUYERS: TrueOrFalse,
  REAUTHENTICATE_ABOVE: wholeFrom(0, 100_000_000),
  ...paymentBindings,
  ...emailBindings,
  ...webhookBindings,
});

let last: { env: Env; from: string; settings: Settings } | undefined;

/** Reads and checks the bindings once an isolate. Throws a sentence that says which is wrong and what to do. */
export function readSettings(env: Env): Settings {
  if (last?.env === env) return last.settings;
  const from = Object.keys(Bindings.shape)
    .map((name) => String(Reflect.get(env, name)))
    .join("\n");
  const settings = last?.from === from ? last.settings : parse(env);
  last = { env, from, settings };
  return settings;
}

/** In development the answer names the setting that is wrong; in production the log alone does. */
function parse(env: Env): Settings {
  try {
    return readBindings(env);
  } catch (error) {
    if (env.DEVELOPMENT !== "true" || !(error instanceof Error)) throw error;
    throw new DevelopmentError(error.message);
  }
}

function readBindings(env: Env): Settings {
  const { data, error } = Bindings.safeParse(env);
  if (error) throw misconfigured(String(error.issues[0]?.path[0]), String(error.issues[0]?.message));
  return {
    apiKeySecrets: data.API_KEY_SECRET,
    linkSecrets: data.LINK_SECRET,
    tokenKeys: readTokenKeys(data.TOKEN_KEYS),
    tokenIssuer: data.TOKEN_ISSUER,
    currency: data.CURRENCY,
    publicCatalog: data.PUBLIC_CATALOG,
    unpaidLimits: {
      orders: data.UNPAID_ORDERS,
      units: data.UNPAID_UNITS,
      percent: data.UNPAID_PERCENT,
      unverified: data.UNVERIFIED_UNITS,
    },
    verifiedBuyers: data.VERIFIED_BUYERS,
    email: readEmailSettings(data),
    webhooks: readWebhookSettings(data),
    retention: { auditAddressDays: data.RETAIN_AUDIT_ADDRESSES_DAYS, emailDays: data.RETAIN_EMAILS_DAYS },
    staffSpendingLimit: toMinor(data.STAFF_SPENDING_LIMIT, data.CURRENCY),
    reauthenticateAbove: toMinor(data.REAUTHENTICATE_ABOVE, data.CURRENCY),
    allowsReservedDomains: data.DEVELOPMENT === "true",
    ...readPaymentSettings(data),
  };
}
