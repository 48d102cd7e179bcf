import { and, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { slice } from "../../http/pagination.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { countersOf } from "./counters.ts";
import { matching, selectPage } from "./found-queries.ts";
import { readListing } from "./read-queries.ts";
import { orders, runsOf } from "./runs-queries.ts";
import { spanOf, totalOf } from "./span-queries.ts";
import { countAll } from "./tree-queries.ts";

/**
 * A page of a range of prices in another order than that of prices, in which its rows lie scattered. Newest first they are
 * merged in the full-text index, where each price stands as words. By name the list is walked, or the range collected and
 * sorted, whichever reads less. Merging and walking begin at the nearer end of the list.
 */
export async function listInRange(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const page = selectPage(db, idsOf(query));
  const newest = query.sort === "newest";
  if (!newest) return readListing(db, query, page.orderBy(...orders[query.sort].by()), totalOf(query));
  const found = await readListing(db, query, page, totalOf(query));
  // Sorted by the database, each row would be read once more, and the page more than it may.
  return { ...found, rows: found.rows.toSorted(newestFirst) };
}

const newestFirst = (a: ProductRow, b: ProductRow) => b.id - a.id;

function idsOf(query: ProductsQuery): SQL {
  const ways = query.sort === "newest" ? merges(query) : walks(query);
  return sql`WITH ${spanOf(query, "price")}, ${planOf(query)} ${sql.join(ways, sql` UNION ALL `)}`;
}

function merges(query: ProductsQuery): SQL[] {
  const merged = sql`SELECT rowid AS id FROM products_search WHERE ${matching(query)} ORDER BY rowid`;
  return [only("ahead", sql`${merged} DESC`), only("back", sql`${merged} ASC`)];
}

function walks(query: ProductsQuery): SQL[] {
  const name = sql`${products.name} COLLATE NOCASE`;
  // A plus keeps SQLite from the index of what it stands before.
  const walked = runsIn(query, name, sql`+${products.price}`);
  const collected = runsIn(query, sql`+${name}`, sql`${products.price}`);
  return [
    only("ahead", sql`${walked} ORDER BY key, id`),
    only("back", sql`${walked} ORDER BY key DESC, id DESC`),
    only("collect", sql`SELECT id FROM (${collected}) ORDER BY key, id`),
  ];
}

/** The rows of one way, when it is the one that is taken. */
const only = (way: string, rows: SQL): SQL => sql`
  SELECT id FROM (
    ${rows} LIMIT ifnull((SELECT take FROM plan WHERE way = ${way}), 0) OFFSET ifnull((SELECT skip FROM plan), 0)
  )`;

/** For a WITH: the way to take, and how many rows of it after how many. */
function planOf(query: ProductsQuery): SQL {
  const { limit, offset } = slice(query);
  // A row of the range comes every listed / total rows of the walk; to collect the range reads it and sorts it.
  const collects = sql`(min(${offset}, total - ${offset}) + ${limit}) * listed > 2 * total * total`;
  return sql`
    plan (way, take, skip) AS MATERIALIZED (
      SELECT way, CASE WHEN way = 'back' THEN max(0, min(${limit}, total - ${offset})) ELSE ${limit} END,
        CASE WHEN way = 'back' THEN max(0, total - ${offset} - ${limit}) ELSE ${offset} END
      FROM (
        SELECT total, CASE
          WHEN ${query.sort === "name"} AND ${collects} THEN 'collect' WHEN ${offset} > total / 2 THEN 'back' ELSE 'ahead'
        END AS way
        FROM (SELECT past - first AS total, ${countAll(countersOf(query))} AS listed FROM root, span)
      )
    )`;
}

/** The rows of the range, run by run. */
function runsIn(query: ProductsQuery, key: SQL, price: SQL): SQL {
  const { min_price, max_price } = query;
  const least = min_price === undefined ? undefined : sql`${price} >= ${min_price}`;
  const most = max_price === undefined ? undefined : sql`${price} <= ${max_price}`;
  const runs = runsOf(query).map(
    (run) => sql`SELECT ${key} AS key, id FROM ${products} WHERE ${and(run, least, most)}`,
  );
  return sql.join(runs, sql` UNION ALL `);
}
