import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import { rolesWith } from "../../platform/auth/roles.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { nameWithValuesOf } from "../../platform/db/product-sql.ts";
import { eventCursors, events, products, stockIsLow } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import { queueStaffEmails } from "../../platform/email/switches.ts";

const READER = "stock e-mails";
/** A digest covers a day that ends at 6:00 UTC. */
const ENDS_AT_MS = 6 * 60 * 60_000;

/** Maximum number of products named in a digest. */
const MOST_NAMED = 50;

const cursor = sql`coalesce((SELECT ${eventCursors.afterId} FROM ${eventCursors} WHERE ${eventCursors.reader} = ${READER}), 0)`;

/** True if an event after the last digest occurred on a day that has ended. */
const isDue = (now: number): SQL<number> => {
  const dayBegan = now - ((now - ENDS_AT_MS) % DAY_MS);
  return sql`coalesce((
    SELECT ${events.createdAt} FROM ${events} WHERE ${events.id} > ${cursor} ORDER BY ${events.id} LIMIT 1
  ) < ${dayBegan}, FALSE)`;
};

/** Products with low or no stock that ran low or sold out after the last digest. */
const becameLow = sql`
  SELECT ${nameWithValuesOf(sql`${products.name}`, sql`${products.optionValues}`)} AS name, ${products.sku} AS sku, ${products.stockQuantity} AS "left"
  FROM ${products} WHERE ${stockIsLow} AND EXISTS (
    SELECT 1 FROM ${events} WHERE ${events.subject} = 'product:' || ${products.id} AND ${events.id} > ${cursor}
      AND ${events.type} IN ('product.stock_low', 'product.sold_out'))
  ORDER BY ${products.stockQuantity}, ${products.id}`;

const digest = sql`
  SELECT json_object(
    'products', (SELECT json_group_array(json_object('name', name, 'sku', sku, 'left', "left"))
      FROM (SELECT * FROM low LIMIT ${MOST_NAMED})),
    'others', max(0, count(*) - ${MOST_NAMED})) AS params
  FROM low HAVING count(*) > 0`;

/** E-mails staff, once a day, which products ran low or sold out. Queues nothing if none did. */
export async function queueStockDigest(db: Database, now: number): Promise<void> {
  const { due } = await db.get<{ due: number }>(sql`SELECT ${isDue(now)} AS due`);
  if (!due) return;
  const source = sql`WITH low AS (${becameLow}) SELECT params FROM (${digest}) WHERE ${isDue(now)}`;
  await db.batch([
    statement(db, queueStaffEmails("low_stock", rolesWith("products:write"), source, now)),
    statement(
      db,
      insertSelected(
        eventCursors,
        { reader: READER, afterId: sql`(SELECT max(${events.id}) FROM ${events})` },
        sql`WHERE ${isDue(now)} ON CONFLICT DO UPDATE SET after_id = excluded.after_id`,
      ),
    ),
  ]);
}
