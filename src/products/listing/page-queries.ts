import { and, gte, lte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "../../db/client.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { slice } from "../../http/pagination.ts";
import { productFields } from "../queries.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { countersOf } from "./counters.ts";
import { readListing } from "./read-queries.ts";
import { orders, runsOf } from "./runs-queries.ts";
import { spanOf, totalOf } from "./span-queries.ts";
import { productAt } from "./tree-queries.ts";

/** A page whose rows stand side by side in their order, and the total: what both cost does not depend on their number. */
export function listInOrder(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const start = startOf(query);
  const [run, ...runs] = runsOf(query).map((each) => and(each, ...boundsOf(query)));
  const begin = start ? db.with(db.$with("start", {}).as(start)) : db;
  const first = begin.select(productFields()).from(products).where(run);
  const [second, ...more] = runs.map((where) => db.select(productFields()).from(products).where(where));
  const rows = second ? unionAll(first, second, ...more) : first;
  const page = rows.orderBy(...orders[query.sort].by()).limit(query.per_page);
  return readListing(db, query, page, totalOf(query));
}

/** Key and id of the page's first product; undefined for the first page, which begins where its list does. */
function startOf(query: ProductsQuery): SQL | undefined {
  if (query.page === 1) return undefined;
  const { tree, backwards } = orders[query.sort];
  const { offset } = slice(query);
  const place = backwards ? sql`past - 1 - ${offset}` : sql`first + ${offset}`;
  const within = sql`(SELECT ${place} FROM span WHERE ${place} BETWEEN first AND past - 1)`;
  return sql`WITH ${spanOf(query, tree)} ${productAt(countersOf(query), within)}`;
}

/** Where the page begins and its list ends. One condition alone speaks of each end: SQLite seeks by one in an index. */
function boundsOf({ page, sort, min_price, max_price }: ProductsQuery): (SQL | undefined)[] {
  const least = min_price === undefined ? undefined : gte(products.price, min_price);
  const most = max_price === undefined ? undefined : lte(products.price, max_price);
  if (page === 1) return [least, most];
  const { tree, backwards } = orders[sort];
  const { here, there } = places[tree];
  return backwards ? [least, sql`${here} <= ${there}`] : [sql`${here} >= ${there}`, most];
}

// As it is written here SQLite seeks by price and id; by name it does so alone, and goes through those that are called the same.
const places = {
  newest: { here: sql`${products.id}`, there: sql`(SELECT id FROM start)` },
  price: { here: sql`(${products.price}, ${products.id})`, there: sql`(SELECT key, id FROM start)` },
  name: {
    here: sql`(${products.name}, ${products.id})`,
    there: sql`((SELECT key FROM start) COLLATE NOCASE, (SELECT id FROM start))`,
  },
};
