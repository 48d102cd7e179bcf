import { and, asc, desc, eq, gt, gte, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { addUpSales } from "../../back-office/sales/add-up.ts";
import { compare, comparedDays, lastDays } from "../../back-office/sales/report.ts";
import { DAY_MS } from "../../domain/time.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import {
  apiKeys,
  failedItems,
  orders,
  products,
  refunds,
  SHOWN_ATTEMPTS,
  stockIsLow,
} from "../../platform/db/schema.ts";

/** Days of sales shown, including today. */
const SHOWN_DAYS = 30;

/** Remaining lifetime below which a key is listed. */
const KEY_NOTICE_MS = 14 * DAY_MS;

/** Rows per list of the overview. */
const SHOWN = 6;

/** Reads the overview's figures of everything paid so far. Money in minor units. */
export async function readOverview(db: Database, now: number) {
  const span = lastDays(SHOWN_DAYS, now);
  const ending = and(
    isNull(apiKeys.revokedAt),
    gt(apiKeys.expiresAt, now),
    lte(apiKeys.expiresAt, now + KEY_NOTICE_MS),
  );
  await addUpSales(db);
  const [days, newest, low, attention] = await db.batch([
    comparedDays(db, span),
    db
      .select({
        id: orders.id,
        number: orders.number,
        status: orders.status,
        total: orders.total,
        customerName: orders.customerName,
        createdAt: orders.createdAt,
      })
      .from(orders)
      .orderBy(desc(orders.id))
      .limit(SHOWN),
    db
      .select({ id: products.id, name: products.name, sku: products.sku, stockQuantity: products.stockQuantity })
      .from(products)
      .where(stockIsLow)
      .orderBy(asc(products.stockQuantity), asc(products.id))
      .limit(SHOWN),
    db
      .select({
        toShip: countOf("to_ship", orders, eq(orders.status, "processing")),
        unpaid: countOf("unpaid", orders, eq(orders.status, "pending")),
        lowStock: countOf("low_stock", products, stockIsLow),
        refundsToSend: countOf("refunds_to_send", refunds, isNull(refunds.reference)),
        keysEnding: countOf("keys_ending", apiKeys, ending),
        itemsFailing: countOf("items_failing", failedItems, gte(failedItems.attempts, SHOWN_ATTEMPTS)),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return { sales: compare(days, span), newest, low, attention: requireFirst(attention) };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Named, because a batch loses columns with equal names. */
const countOf = (name: string, table: SQLiteTable, where: SQL | undefined) =>
  sql<number>`(SELECT count(*) FROM ${table} WHERE ${where})`.as(name);
