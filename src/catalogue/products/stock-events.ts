import { sql } from "drizzle-orm";
import { type Database, requireFirst, runAll } from "../../platform/db/client.ts";
import { endOfChanges, STOCK_SKEW_MS, stockChangedSince } from "./listing/following.ts";

// A sale changes stock without an event, which would cost it as many rows as its other events. The schedule finds what
// orders and adjustments changed, as `updated_since` does, and publishes one event for all changes of a product.

const READER = "changes of stock";

/** Number of products after which a run ends. The next one continues there. */
const MOST_PRODUCTS = 1_000;

type StockChanges = { until: number; ids: string; last: number; count: number };

/** Publishes `stock.changed` for each product whose quantity differs from its last such event. */
export async function publishStockChanges(db: Database, now: number): Promise<void> {
  const [cursor] = await db.all<{ at: number }>(sql`SELECT after_id AS at FROM event_cursors WHERE reader = ${READER}`);
  const from = cursor?.at ?? now - STOCK_SKEW_MS;
  const { ids, last, count, until } = requireFirst(
    await db.all<StockChanges>(sql`
      WITH ends AS MATERIALIZED (SELECT ${endOfChanges(from)} AS until),
        changed AS MATERIALIZED (${stockChangedSince(from, sql`(SELECT until FROM ends)`)})
      SELECT json_group_array(product_id) AS ids, max(at) AS last, count(*) AS count, (SELECT until FROM ends) AS until
      FROM changed
      WHERE at <= ifnull((SELECT at FROM changed ORDER BY at LIMIT 1 OFFSET ${MOST_PRODUCTS - 1}), ${Number.MAX_SAFE_INTEGER})`),
  );
  if (count === 0 && until === Number.MAX_SAFE_INTEGER) return;
  const next = Math.min(count < MOST_PRODUCTS ? until : last + 1, now - STOCK_SKEW_MS);
  const published = sql`(SELECT data FROM events
    WHERE subject = 'product:' || products.id AND type = 'stock.changed' ORDER BY id DESC LIMIT 1)`;
  await runAll(db, [
    sql`INSERT INTO events (type, subject, created_at, data)
      SELECT 'stock.changed', 'product:' || id, ${now}, data FROM (
        SELECT products.id, stock_event_data.data, ${published} AS published
        FROM products JOIN stock_event_data ON stock_event_data.id = products.id
        WHERE products.id IN (SELECT value FROM json_each(${ids})) AND stock_quantity IS NOT NULL)
      WHERE published ->> 'stock_quantity' IS NOT data ->> 'stock_quantity'`,
    sql`INSERT INTO event_cursors (reader, after_id) VALUES (${READER}, ${Math.max(from, next)})
      ON CONFLICT DO UPDATE SET after_id = excluded.after_id`,
  ]);
}
