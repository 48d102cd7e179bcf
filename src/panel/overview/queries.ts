import { and, asc, desc, eq, gt, gte, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, requireFirst } from "../../db/client.ts";
import { apiKeys, dailySales, orders, products, refunds } from "../../db/schema.ts";
import { isLow } from "../../products/listing/by-stock-queries.ts";

const DAY_MS = 86_400_000;

/** How many days the chart shows, today included. */
const CHART_DAYS = 30;

/** A key that ends within this is worth a look. */
const KEY_NOTICE_MS = 14 * DAY_MS;

/** How many rows a list of the overview shows. */
const SHOWN = 6;

type DaySales = typeof dailySales.$inferSelect;

const NOTHING = { orders: 0, revenue: 0, refunded: 0, discounts: 0, shipping: 0, tax: 0, refundedTax: 0 };

/** The overview's figures, in one round trip. Money is in minor units; a day without sales is a day of zeros. */
export async function readOverview(db: Database, now: number) {
  const first = dayOf(now - (CHART_DAYS - 1) * DAY_MS);
  const ending = and(
    isNull(apiKeys.revokedAt),
    gt(apiKeys.expiresAt, now),
    lte(apiKeys.expiresAt, now + KEY_NOTICE_MS),
  );
  const [sales, newest, low, attention] = await db.batch([
    db.select().from(dailySales).where(gte(dailySales.day, first)).orderBy(asc(dailySales.day)),
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
      .where(isLow)
      .orderBy(asc(products.stockQuantity), asc(products.id))
      .limit(SHOWN),
    db
      .select({
        toShip: countOf("to_ship", orders, eq(orders.status, "processing")),
        unpaid: countOf("unpaid", orders, eq(orders.status, "pending")),
        lowStock: countOf("low_stock", products, isLow),
        refundsToSend: countOf("refunds_to_send", refunds, isNull(refunds.reference)),
        keysEnding: countOf("keys_ending", apiKeys, ending),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return { days: everyDay(sales, now), newest, low, attention: requireFirst(attention) };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Named, because a batch loses columns that are called the same. */
const countOf = (name: string, table: SQLiteTable, where: SQL | undefined) =>
  sql<number>`(SELECT count(*) FROM ${table} WHERE ${where})`.as(name);

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function everyDay(sales: DaySales[], now: number): DaySales[] {
  const known = new Map(sales.map((sold) => [sold.day, sold]));
  return Array.from({ length: CHART_DAYS }, (_, ago) => dayOf(now - (CHART_DAYS - 1 - ago) * DAY_MS)).map(
    (day) => known.get(day) ?? { day, ...NOTHING },
  );
}
