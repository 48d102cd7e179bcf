import { type SQL, sql } from "drizzle-orm";
import { rolesWith } from "../../platform/auth/roles.ts";
import type { Database } from "../../platform/db/client.ts";
import { nameWithValuesOf } from "../../platform/db/product-sql.ts";
import { events, products, stockIsLow } from "../../platform/db/schema.ts";
import { queueDaily } from "../../platform/email/daily.ts";
import { hasNotDeclined, notificationNeeds } from "../../platform/email/staff-notifications.ts";
import { queueStaffEmails } from "../../platform/email/switches.ts";

/** Maximum number of products named in a digest. */
const MOST_NAMED = 50;

/** Products with low or no stock that ran low or sold out after the last digest. */
const becameLow = (after: SQL): SQL => sql`
  SELECT ${nameWithValuesOf(sql`${products.name}`, sql`${products.optionValues}`)} AS name, ${products.sku} AS sku, ${products.stockQuantity} AS "left"
  FROM ${products} WHERE ${stockIsLow} AND EXISTS (
    SELECT 1 FROM ${events} WHERE ${events.subject} = 'product:' || ${products.id} AND ${events.id} > ${after}
      AND ${events.type} IN ('product.stock_low', 'product.sold_out'))
  ORDER BY ${products.stockQuantity}, ${products.id}`;

const digest = sql`
  SELECT json_object(
    'products', (SELECT json_group_array(json_object('name', name, 'sku', sku, 'left', "left"))
      FROM (SELECT * FROM low LIMIT ${MOST_NAMED})),
    'others', max(0, count(*) - ${MOST_NAMED})) AS params
  FROM low HAVING count(*) > 0`;

/** E-mails staff, once a day, which products ran low or sold out. Queues nothing if none did. */
export const queueStockDigest = (db: Database, now: number): Promise<void> =>
  queueDaily(db, now, {
    reader: "stock e-mails",
    queue(after, isDue) {
      const source = sql`WITH low AS (${becameLow(after)}) SELECT params FROM (${digest}) WHERE ${isDue}`;
      return queueStaffEmails(
        "low_stock",
        rolesWith(notificationNeeds.low_stock),
        source,
        now,
        hasNotDeclined("low_stock"),
      );
    },
  });
