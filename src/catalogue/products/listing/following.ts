import { and, type SQL, sql } from "drizzle-orm";
import { iso } from "../../../domain/fields.ts";
import { type Database, requireFirst } from "../../../platform/db/client.ts";
import { afterCursor, allOf, limitTo, onePastPage, type PageOf, readFollowing } from "../../../platform/db/page.ts";
import { pageOf } from "../../../platform/http/pagination.ts";
import type { AllProductsQuery } from "../admin-schemas.ts";
import { packedProduct, selectProducts, unpackProduct } from "../products.ts";
import type { ProductRow } from "../schemas.ts";
import { products } from "../tables.ts";
import { hasShownStatus, isListedFor } from "./list.ts";
import { filterConditions } from "./read.ts";

// Stock has no time of change of its own, because an index of it would cost every sale a write. Orders are indexed by
// their last change, which each change of their stock is, and ids of adjustments rise with their times.

/** Number of changed orders after which a page of changes ends. The next page continues there. */
const MOST_ORDERS = 2_000;

/** Adjustments may become visible in another order than that of their times, by less than this. */
export const STOCK_SKEW_MS = 60_000;

/** The last adjustment that is certainly older than a time, found by halving the range of ids. */
const adjustmentBefore = (moment: number): SQL => {
  const middle = sql.raw("((low + high + 1) / 2)");
  const isOlder = sql`ifnull((
    SELECT created_at < ${moment - STOCK_SKEW_MS} FROM stock_adjustments WHERE id <= ${middle} ORDER BY id DESC LIMIT 1), TRUE)`;
  return sql`(
    WITH RECURSIVE bounds (low, high) AS (
      SELECT 0, (SELECT ifnull(max(id), 0) FROM stock_adjustments)
      UNION ALL
      SELECT iif(${isOlder}, ${middle}, low), iif(${isOlder}, high, ${middle} - 1) FROM bounds WHERE low < high)
    SELECT low FROM bounds WHERE low = high)`;
};

/** Products and variants whose stock may have changed since a time, each with the time of its last such change before `until`. */
export const stockChangedSince = (moment: number, until: SQL): SQL => sql`
  SELECT product_id, max(at) AS at FROM (
    SELECT product_id, updated_at AS at FROM orders CROSS JOIN order_items ON order_id = orders.id
    WHERE updated_at >= ${moment} AND updated_at < ${until}
    UNION ALL
    SELECT product_id, created_at FROM stock_adjustments
    WHERE id > ${adjustmentBefore(moment)} AND created_at >= ${moment} AND created_at < ${until}
  ) GROUP BY product_id`;

/**
 * Time before which all changes are read: after MOST_ORDERS orders and those that changed with the last of them, such as orders
 * that expired together. Later than any if there are fewer.
 */
export const endOfChanges = (moment: number): SQL => sql`ifnull(
  (SELECT min(updated_at) FROM orders WHERE updated_at > (
    SELECT updated_at FROM orders WHERE updated_at >= ${moment} ORDER BY updated_at ${limitTo(1, sql.raw(String(MOST_ORDERS - 1)))})),
  ${Number.MAX_SAFE_INTEGER})`;

/** Lists products after a cursor: by id, or by the time at which they were edited or their stock changed. */
export function listFollowing(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  const narrowed = and(
    query.variants ? undefined : isListedFor(query.parent_id),
    hasShownStatus(query),
    allOf(filterConditions(query)),
  );
  if (query.updated_since !== undefined) return listChanged(db, { ...query, since: query.updated_since }, narrowed);
  const columns = { id: products.id, changedAt: products.updatedAt, read: ({ updatedAt }: ProductRow) => updatedAt };
  return readFollowing(db, query, columns, (isAfter, order) =>
    selectProducts(db)
      .where(and(narrowed, isAfter))
      .orderBy(...order),
  );
}

/** The end of the changes that a page reads, within its statement. */
const END = sql.raw("(SELECT until FROM ends)");

type ChangedRow = { id: number | null; at: number; until: number; product: string };

async function listChanged(
  db: Database,
  query: AllProductsQuery & { since: number },
  narrowed: SQL | undefined,
): Promise<PageOf<ProductRow>> {
  const { since, after_id = 0 } = query;
  const most = onePastPage(query);
  const { runs, orderBy } = afterCursor(query, { id: products.id, changedAt: products.updatedAt });
  // A list without variants has their products.
  const listed =
    query.variants || query.parent_id !== undefined
      ? sql`stock.product_id`
      : sql`(SELECT ifnull(parent_id, id) FROM products AS sold WHERE sold.id = stock.product_id)`;
  const moved = sql`
    SELECT ${products.id} AS id, max(stock.at) AS at
    FROM (${stockChangedSince(since, END)}) AS stock CROSS JOIN ${products} ON ${products.id} = ${listed}
    WHERE ${and(narrowed, sql`stock.at > ${products.updatedAt}`)} GROUP BY ${products.id}`;
  const isEditedLast = sql`${products.id} NOT IN (SELECT id FROM moved)`;
  const edits = runs.map(
    (run) => sql`SELECT * FROM (
      SELECT ${products.id} AS id, ${products.updatedAt} AS at FROM ${products} WHERE ${and(narrowed, isEditedLast, run)}
      ORDER BY ${sql.join(orderBy, sql`, `)} ${limitTo(most)})`,
  );
  const changes = [...edits, sql`SELECT id, at FROM moved WHERE (at, id) > (${since}, ${after_id})`];
  const found = await db.all<ChangedRow>(sql`
    WITH ends AS MATERIALIZED (SELECT ${endOfChanges(since)} AS until), moved AS MATERIALIZED (${moved})
    SELECT changed.id AS id, changed.at AS at, until, ${packedProduct} AS product
    FROM ends LEFT JOIN (
      SELECT id, at FROM (${sql.join(changes, sql` UNION ALL `)}) WHERE at < ${END}
      ORDER BY at, id ${limitTo(most)}
    ) AS changed LEFT JOIN ${products} ON ${products.id} = changed.id
    ORDER BY changed.at, changed.id`);
  return changedPage(query, found);
}

function changedPage(query: AllProductsQuery, found: ChangedRow[]): PageOf<ProductRow> {
  const { until } = requireFirst(found);
  const changed = found.filter(({ id }) => id !== null);
  const shown = changed.slice(0, query.per_page);
  const rows = shown.map(({ product }) => unpackProduct(product));
  const last = changed.length > shown.length ? shown.at(-1) : { at: until, id: 0 };
  if (!last || last.at === Number.MAX_SAFE_INTEGER) return { rows, ...pageOf(query, rows.length, true, null) };
  const next = { updated_since: iso(last.at), after_id: String(last.id) };
  return { rows, ...pageOf(query, rows.length + 1, false, next) };
}
