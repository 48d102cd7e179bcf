import * as z from "zod";
import { Text, Timestamp } from "../../domain/fields.ts";
import { Amount, Money } from "../../domain/money.ts";
import { toRecord } from "../../domain/record.ts";
import { licenseKeyText } from "../../platform/auth/license-keys.ts";
import type { giftCards } from "../../platform/db/schema.ts";
import { Transaction } from "../transactions/public.ts";

export type GiftCardRow = typeof giftCards.$inferSelect;

export const giftCardStatuses = ["active", "redeemed", "ended"] as const;

/** A gift card without its code. */
export const IssuedGiftCard = z
  .object({
    id: z.int(),
    order_id: z.int().nullable().describe("Null if staff issued the card"),
    value: Money.describe("Price of the sold unit"),
    balance: Money.describe("What is left to redeem"),
    status: z.enum(giftCardStatuses).describe("`ended` if the card was refunded or disabled"),
    test: z.boolean().describe("True for the card of a test order, which cannot be redeemed"),
    created_at: Timestamp,
  })
  .meta({ id: "IssuedGiftCard" });

export const GiftCard = IssuedGiftCard.extend({
  code: z.string().describe("Anyone with the code can redeem the card"),
}).meta({ id: "GiftCard" });

/** Column values by which the text of a gift card's code follows, as that of a license key. */
export const storedCode = ({ nonce }: Pick<GiftCardRow, "nonce">) => ({ prefix: "GIFT", nonce });

const statusOf = ({ endedAt, balance }: GiftCardRow): (typeof giftCardStatuses)[number] => {
  if (endedAt !== null) return "ended";
  return balance === 0 ? "redeemed" : "active";
};

export const toIssuedGiftCard = (row: GiftCardRow): z.output<typeof IssuedGiftCard> =>
  toRecord(IssuedGiftCard, row, { status: statusOf(row) });

export const toGiftCard = (secret: string, row: GiftCardRow): z.output<typeof GiftCard> => ({
  ...toIssuedGiftCard(row),
  code: licenseKeyText(secret, storedCode(row)),
});

export const GiftCardRedemption = z
  .strictObject({
    code: Text.min(1).max(100).describe("The code as the customer typed it: case, spaces and hyphens do not matter"),
    amount: Amount.optional().describe("Amount to move to the wallet. By default the whole balance"),
  })
  .meta({ id: "GiftCardRedemption" });
export type GiftCardRedemption = z.output<typeof GiftCardRedemption>;

export const RedeemedGiftCard = Transaction.extend({
  gift_card_balance: Money.describe("What is left on the gift card"),
}).meta({ id: "RedeemedGiftCard" });
