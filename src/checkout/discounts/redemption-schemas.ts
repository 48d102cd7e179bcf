import * as z from "zod";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal } from "../../domain/money.ts";
import type { RedemptionRow } from "./redemption-queries.ts";

export const Redemption = z
  .object({
    order_id: z.int(),
    order_number: z.string(),
    customer: z.object({
      id: z.int().nullable().describe("Id of the account. Null for a guest"),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    amount: Money.describe("Amount taken off the order"),
    created_at: Timestamp,
    released_at: Timestamp.nullable().describe(
      "Time at which the order was cancelled or expired, so that the use no longer counts. Null if it counts",
    ),
  })
  .meta({ id: "Redemption" });

export const toRedemption = (row: RedemptionRow): z.output<typeof Redemption> => ({
  order_id: row.orderId,
  order_number: row.orderNumber,
  customer: { id: row.userId, email: row.customerEmail, name: row.customerName },
  amount: toDecimal(row.amount),
  created_at: iso(row.createdAt),
  released_at: isoOrNull(row.releasedAt),
});
