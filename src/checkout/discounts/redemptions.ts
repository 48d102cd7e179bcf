import { and, desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal } from "../../domain/money.ts";
import { type AccountScope, inScope } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { discountRedemptions, orders } from "../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";

const buyer = sql`(SELECT ${orders.userId} FROM ${orders} WHERE ${orders.id} = ${discountRedemptions.orderId})`;

/** Returns a page of the orders that used a discount, newest first. */
export function listRedemptions(db: Database, discountId: number, query: PageQuery, scope: AccountScope) {
  const { limit, offset } = limitAndOffset(query);
  const where = and(eq(discountRedemptions.discountId, discountId), inScope(scope, buyer));
  const rows = db
    .select({
      orderId: discountRedemptions.orderId,
      orderNumber: orders.number,
      userId: orders.userId,
      customerEmail: orders.customerEmail,
      customerName: orders.customerName,
      amount: discountRedemptions.amount,
      createdAt: discountRedemptions.createdAt,
      releasedAt: discountRedemptions.releasedAt,
    })
    .from(discountRedemptions)
    .innerJoin(orders, eq(orders.id, discountRedemptions.orderId))
    .where(where)
    .orderBy(desc(discountRedemptions.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, discountRedemptions, where);
}

export type RedemptionRow = Awaited<ReturnType<typeof listRedemptions>>["rows"][number];

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
