import { and, asc, desc, eq, gt, gte, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { addUpSales } from "../../back-office/sales/add-up.ts";
import { compare, comparedDays, lastDays } from "../../back-office/sales/report.ts";
import { DAY_MS } from "../../domain/durations.ts";
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

/** How many days of sales it shows, today included. */
const SHOWN_DAYS = 30;

/** A key that ends within this is worth a look. */
const KEY_NOTICE_MS = 14 * DAY_MS;

/** How many rows a list of the overview shows. */
const SHOWN = 6;

/** The overview's figures, of what was paid up to now. Money is in minor units. */
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

/** Named, because a batch loses columns that are called the same. */
const countOf = (name: string, table: SQLiteTable, where: SQL | undefined) =>
  sql<number>`(SELECT count(*) FROM ${table} WHERE ${where})`.as(name);
