import { and, desc, eq, sql } from "drizzle-orm";
import { type AccountScope, inScope } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { discountRedemptions, orders } from "../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";

const buyer = sql`(SELECT user_id FROM orders WHERE orders.id = discount_redemptions.order_id)`;

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
