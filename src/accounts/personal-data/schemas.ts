import * as z from "zod";
import { IssuedGiftCard, toIssuedGiftCard } from "../../checkout/gift-cards/public.ts";
import { DraftOrder, Order, toDraftOrder, toOrder } from "../../checkout/orders/public.ts";
import { Transaction, toTransaction } from "../../checkout/transactions/public.ts";
import { isoOrNull, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { SoldLicense, toSoldLicense } from "../../downloads/license-keys/public.ts";
import { Package, toPackage } from "../../downloads/packages/public.ts";
import { emailStates } from "../../platform/db/schema.ts";
import { AccountAddress, Profile, toAccountAddress, toProfile } from "../users/public.ts";
import type { PersonalData } from "./export.ts";

export const ErasureRequest = z
  .strictObject({ current_password: z.string().min(1).max(128) })
  .meta({ id: "ErasureRequest", description: "Proof that the owner of the account sends the request" });

/** When and how an account is erased, and how to undo it. */
export const Erasure = z
  .object({
    erase_at: Timestamp.nullable().describe("Time of the erasure. Null once it was undone"),
    undo: z
      .string()
      .nullable()
      .describe("Request that undoes the erasure, made after signing in again. Null if there is nothing to undo"),
  })
  .meta({ id: "Erasure" });

export const toErasure = (eraseAt: number | null, undo: string): z.output<typeof Erasure> => ({
  erase_at: isoOrNull(eraseAt),
  undo: eraseAt === null ? null : undo,
});

const Fields = z.record(z.string(), z.unknown()).nullable();

export const PersonalDataExport = z
  .object({
    profile: Profile,
    tags: z.array(z.string()).describe("Tags that staff assigned to the customer"),
    disabled_at: Timestamp.nullable(),
    two_factor_enabled_at: Timestamp.nullable(),
    sessions: z.array(
      z.object({
        created_at: Timestamp,
        last_used_at: Timestamp,
        ended_at: Timestamp.nullable(),
        address: z.string().nullable(),
        user_agent: z.string().nullable(),
      }),
    ),
    orders: z.array(Order),
    draft_orders: z.array(DraftOrder).describe("Orders that staff prepared for the account"),
    transactions: z.array(z.object({ ...Transaction.shape, note: z.string().nullable() })),
    packages: z.array(Package),
    license_keys: z.array(SoldLicense),
    gift_cards: z.array(IssuedGiftCard),
    cart: z.array(z.object({ product_id: z.int(), name: z.string(), quantity: z.int() })),
    addresses: z.array(AccountAddress),
    emails: z.array(
      z.object({
        recipient: z.string().nullable(),
        template: z.string(),
        state: z.enum(emailStates),
        created_at: Timestamp,
        sent_at: Timestamp.nullable(),
      }),
    ),
    notes: z
      .array(z.object({ text: z.string(), created_at: Timestamp }))
      .describe("Notes of staff about the customer, without their authors"),
    audit_log: z
      .array(
        z.object({
          at: Timestamp,
          action: z.string(),
          subject: z.string(),
          subject_id: z.int(),
          before: Fields,
          after: Fields,
          by_yourself: z.boolean(),
          address: z.string().nullable().describe("IP address. Only present for your own requests"),
        }),
      )
      .describe(
        "Audit entries about the account. Entries that its owner caused as staff are listed without data of others",
      ),
  })
  .meta({ id: "PersonalDataExport", description: "All data stored about an account, without secrets" });

const { shape } = PersonalDataExport;

export const toExport = (data: PersonalData, currency: string, now: number): z.output<typeof PersonalDataExport> => ({
  profile: toProfile(data.user, currency),
  tags: data.user.tags,
  disabled_at: isoOrNull(data.user.disabledAt),
  two_factor_enabled_at: isoOrNull(data.twoFactorSince),
  sessions: data.sessions.map((row) => toRecord(shape.sessions.element, row, {})),
  orders: data.orders.map(toOrder),
  draft_orders: data.draftOrders.map(toDraftOrder),
  transactions: data.transactions.map((row) => ({ ...toTransaction(row, currency), note: row.note })),
  packages: data.packages.map((row) => toPackage(row, now)),
  license_keys: data.licenseKeys.map((row) => toSoldLicense(row, now)),
  gift_cards: data.giftCards.map(toIssuedGiftCard),
  cart: data.cart.map((row) => toRecord(shape.cart.element, row, {})),
  addresses: data.addresses.map(toAccountAddress),
  emails: data.emails.map((row) => toRecord(shape.emails.element, row, {})),
  notes: data.notes.map((row) => toRecord(shape.notes.element, row, {})),
  audit_log: data.audit.map((row) => toRecord(shape.audit_log.element, row, { by_yourself: row.byThemselves === 1 })),
});
