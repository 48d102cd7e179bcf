import * as z from "zod";
import { IdText, isoOrNull, line, Text, Timestamp } from "../../domain/fields.ts";
import { Amount, Money } from "../../domain/money.ts";
import { toRecord } from "../../domain/record.ts";
import { licenseKeyStart, licenseKeyText } from "../../platform/auth/license-keys.ts";
import type { giftCards } from "../../platform/db/schema.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { Transaction } from "../transactions/public.ts";

export type GiftCardRow = typeof giftCards.$inferSelect;

export const giftCardStatuses = ["active", "redeemed", "ended"] as const;

/** A gift card without its code. */
export const IssuedGiftCard = z
  .object({
    id: z.int(),
    order_id: z.int().nullable().describe("Null if staff issued the card"),
    value: Money.describe("Price of the sold unit"),
    balance: Money.describe("Amount left to redeem"),
    status: z.enum(giftCardStatuses).describe("`ended` if the card was refunded or disabled"),
    test: z.boolean().describe("True for the card of a test order, which cannot be redeemed"),
    created_at: Timestamp,
  })
  .meta({ id: "IssuedGiftCard" });

export const GiftCard = IssuedGiftCard.extend({
  code: z.string().describe("Anyone with the code can redeem the card"),
}).meta({ id: "GiftCard" });

/** A gift card's code is written like a license key with this prefix. */
export const GIFT_CARD_PREFIX = "GIFT";

export const giftCardStatus = ({ endedAt, balance }: GiftCardRow): (typeof giftCardStatuses)[number] => {
  if (endedAt !== null) return "ended";
  return balance === 0 ? "redeemed" : "active";
};

export const toIssuedGiftCard = (row: GiftCardRow): z.output<typeof IssuedGiftCard> =>
  toRecord(IssuedGiftCard, row, { status: giftCardStatus(row) });

export const toGiftCard = (secret: string, row: GiftCardRow): z.output<typeof GiftCard> => ({
  ...toIssuedGiftCard(row),
  code: licenseKeyText(secret, { prefix: GIFT_CARD_PREFIX, nonce: row.nonce, uploaded: null }),
});

export const GiftCardRedemption = z
  .strictObject({
    code: Text.min(1).max(100).describe("The code as the customer typed it: case, spaces and hyphens do not matter"),
    amount: Amount.optional().describe("Amount to move to the wallet. By default the whole balance"),
  })
  .meta({ id: "GiftCardRedemption" });
export type GiftCardRedemption = z.output<typeof GiftCardRedemption>;

export const RedeemedGiftCard = Transaction.extend({
  gift_card_balance: Money.describe("Amount left on the gift card"),
}).meta({ id: "RedeemedGiftCard" });

export const AllGiftCardsQuery = z.strictObject({
  ...pageFields,
  code_start: Text.max(100)
    .optional()
    .describe("Beginning of a code: GIFT and three groups. Do not send the rest, because addresses are logged"),
  order_id: IdText.optional(),
  status: z.enum(giftCardStatuses).optional(),
});
export type AllGiftCardsQuery = z.output<typeof AllGiftCardsQuery>;

export const GiftCardCreate = z.strictObject({ value: Amount, reason: line(200) }).meta({ id: "GiftCardCreate" });
export type GiftCardCreate = z.output<typeof GiftCardCreate>;

export const codeStart = ({ nonce }: GiftCardRow): string =>
  licenseKeyStart({ prefix: GIFT_CARD_PREFIX, nonce, uploaded: null });

/** A gift card in the administration API, which never shows its whole code. */
export const AdminGiftCard = IssuedGiftCard.extend({
  code_start: z.string().describe("Beginning of the code, by which the card is found"),
  reason: z.string().nullable().describe("Reason for which staff issued the card"),
  ended_at: Timestamp.nullable(),
}).meta({ id: "AdminGiftCard" });

export const toAdminGiftCard = (row: GiftCardRow): z.output<typeof AdminGiftCard> => ({
  ...toIssuedGiftCard(row),
  code_start: codeStart(row),
  reason: row.note,
  ended_at: isoOrNull(row.endedAt),
});
