import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { MAX_FOUND } from "../../../platform/db/full-text.ts";
import { limitTo } from "../../../platform/db/limit.ts";
import type { PageOf } from "../../../platform/db/page.ts";
import { products } from "../../../platform/db/tables/products.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { sortOrderOf } from "../sorts.ts";
import { fullTextQuery, type SearchedFor } from "./facets.ts";
import { orderBy } from "./index-queries.ts";
import { type Listing, readListing, requestedCategory } from "./read-queries.ts";
import { SearchLimiter } from "./search-limiter.ts";

/** Of all lists of products that this isolate searches: any of them may read thousands of matches. */
const limiter = new SearchLimiter();

/** A page of what is searched for, and how many that is: the index counts without a look at the products. */
export async function listFound(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const found = await readListing(db, ofFound(query));
  const totalIsExact = found.totalItems <= MAX_FOUND;
  return { ...found, totalItems: Math.min(found.totalItems, MAX_FOUND), totalIsExact };
}

export function ofFound(query: ProductsQuery): Listing {
  const { order, backwards } = sortOrderOf[query.sort];
  return {
    category: query.category,
    ids: idsOf(query, orderBy(order, backwards)),
    orderBy: orderBy(order, backwards),
    items: sql<number>`(SELECT count(*) FROM (SELECT 1 ${searched(matching(query))} ${limitTo(MAX_FOUND + 1)}))`,
    limiter,
  };
}

/** The condition on products_search that a query makes. */
export function matching(query: SearchedFor): SQL {
  const text = fullTextQuery(query);
  if (text === null) return sql`FALSE`;
  if (!query.category) return sql`products_search MATCH ${text}`;
  return sql`products_search MATCH (${text} || ' AND facets : qzc' || ifnull(${requestedCategory}, 0))`;
}

const searched = (match: SQL): SQL => sql`FROM products_search WHERE ${match}`;

/** The newest matches: the index has them in the order of their ids, and none is read beyond the last one. */
const newest = (match: SQL, limit: number, offset = 0): SQL =>
  sql`SELECT rowid AS id ${searched(match)} ORDER BY rowid DESC ${limitTo(limit, offset)}`;

function idsOf(query: ProductsQuery, order: SQL[]): SQL {
  const { limit, offset } = limitAndOffset(query);
  const match = matching(query);
  if (query.sort === "newest") return newest(match, Math.max(0, Math.min(limit, MAX_FOUND - offset)), offset);
  return sql`
    SELECT ${products.id} FROM (${newest(match, MAX_FOUND)}) AS found CROSS JOIN ${products} ON ${products.id} = found.id
    ORDER BY ${sql.join(order, sql`, `)} ${limitTo(limit, offset)}`;
}
