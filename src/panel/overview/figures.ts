import { and, asc, desc, eq, gt, gte, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { isSetUp } from "../../back-office/presets/presets.ts";
import { addUpSales } from "../../back-office/sales/add-up.ts";
import { compare, comparedDays, lastDays } from "../../back-office/sales/report.ts";
import { DAY_MS } from "../../domain/time.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { nameWithValuesOf } from "../../platform/db/product-sql.ts";
import {
  apiKeys,
  failedItems,
  orders,
  paymentSettings,
  products,
  refunds,
  SHOWN_ATTEMPTS,
  shop,
  stockIsLow,
  webhookEndpoints,
} from "../../platform/db/schema.ts";

/** Days of sales shown, including today. */
const SHOWN_DAYS = 30;

/** Remaining lifetime below which a key is listed. */
const KEY_NOTICE_MS = 14 * DAY_MS;

/** Rows per list of the home page. */
const MAX_ROWS = 6;

/** Number of webhooks that the home page checks for failures. */
const MOST_WEBHOOKS = 50;

/** Number of orders at which a shop no longer sees the setup steps. */
const BEGUN = 20;

/** Reads the home page's figures of everything paid so far. Money in minor units. */
export async function readOverview(db: Database, now: number) {
  const span = lastDays(SHOWN_DAYS, now);
  const ending = and(
    isNull(apiKeys.revokedAt),
    gt(apiKeys.expiresAt, now),
    lte(apiKeys.expiresAt, now + KEY_NOTICE_MS),
  );
  await addUpSales(db);
  const [days, newest, low, webhooks, found] = await db.batch([
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
      .limit(MAX_ROWS),
    db
      .select({
        id: products.id,
        name: nameWithValuesOf(sql`${products.name}`, sql`${products.optionValues}`).as("shown_name"),
        sku: products.sku,
        stockQuantity: products.stockQuantity,
      })
      .from(products)
      .where(stockIsLow)
      .orderBy(asc(products.stockQuantity), asc(products.id))
      .limit(MAX_ROWS),
    db
      .select({
        key: webhookEndpoints.key,
        enabled: webhookEndpoints.enabled,
        pauseReason: webhookEndpoints.pauseReason,
      })
      .from(webhookEndpoints)
      .limit(MOST_WEBHOOKS),
    db
      .select({
        orders: countOf("orders", sql`(SELECT 1 FROM ${orders} LIMIT ${BEGUN})`, sql`TRUE`),
        hasAddress: isTrue("has_address", sql`EXISTS (SELECT 1 FROM ${shop} WHERE ${shop.address} IS NOT NULL)`),
        hasPayments: isTrue("has_payments", sql`EXISTS (SELECT 1 FROM ${paymentSettings})`),
        hasShippingOrTaxes: isTrue("has_shipping", isSetUp),
        hasProduct: isTrue("has_product", sql`EXISTS (SELECT 1 FROM ${products})`),
        hasKey: isTrue("has_key", sql`EXISTS (SELECT 1 FROM ${apiKeys})`),
        toShip: countOf("to_ship", orders, sql`${eq(orders.status, "processing")} AND NOT ${orders.sandbox}`),
        unpaid: countOf("unpaid", orders, eq(orders.status, "pending")),
        lowStock: countOf("low_stock", products, stockIsLow),
        refundsToSend: countOf("refunds_to_send", refunds, isNull(refunds.reference)),
        keysEnding: countOf("keys_ending", apiKeys, ending),
        itemsFailing: countOf("items_failing", failedItems, gte(failedItems.attempts, SHOWN_ATTEMPTS)),
      })
      .from(sql`(SELECT 1)`),
  ]);
  const attention = requireFirst(found);
  return { sales: compare(days, span), newest, low, attention, webhooks, isNew: attention.orders < BEGUN };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Named, because a batch loses columns with equal names. */
const countOf = (name: string, table: SQLiteTable | SQL, where: SQL | undefined) =>
  sql<number>`(SELECT count(*) FROM ${table} WHERE ${where})`.as(name);

const isTrue = (name: string, condition: SQL) => sql`${condition}`.mapWith(Boolean).as(name);
