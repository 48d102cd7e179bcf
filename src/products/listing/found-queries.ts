import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { MAX_FOUND } from "../../db/full-text.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { slice } from "../../http/pagination.ts";
import { productFields } from "../queries.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { categoryId } from "./category-queries.ts";
import { fullTextQuery } from "./facets.ts";
import { readListing } from "./read-queries.ts";
import { orders } from "./runs-queries.ts";

/** A page of what is searched for, and how many that is: the index counts without a look at the products. */
export async function listFound(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const match = matching(query);
  const rows = selectPage(db, pageOfFound(match, query)).orderBy(...orders[query.sort].by());
  const counted = sql<number>`(SELECT count(*) FROM (${newest(match, MAX_FOUND + 1)}))`;
  const found = await readListing(db, query, rows, counted);
  const totalIsExact = found.totalItems <= MAX_FOUND;
  return { ...found, totalItems: Math.min(found.totalItems, MAX_FOUND), totalIsExact };
}

/** The condition on products_search that a query makes. */
export function matching(query: ProductsQuery): SQL {
  const text = fullTextQuery(query);
  if (text === null) return sql`FALSE`;
  if (!query.category) return sql`products_search MATCH ${text}`;
  return sql`products_search MATCH (${text} || ' AND facets : qzc' || ifnull(${categoryId(query.category)}, 0))`;
}

/** The records of the products whose ids are given. */
export const selectPage = (db: Database, ids: SQL) =>
  db.select(productFields()).from(sql`(${ids}) AS page`).innerJoin(products, eq(products.id, sql`page.id`));

/** The newest matches: the index has them in the order of their ids, and none is read beyond the last one. */
const newest = (match: SQL, limit: number, offset = 0): SQL =>
  sql`SELECT rowid AS id FROM products_search WHERE ${match} ORDER BY rowid DESC LIMIT ${limit} OFFSET ${offset}`;

function pageOfFound(match: SQL, query: ProductsQuery): SQL {
  const { limit, offset } = slice(query);
  if (query.sort === "newest") return newest(match, Math.max(0, Math.min(limit, MAX_FOUND - offset)), offset);
  return sql`
    SELECT ${products.id} FROM (${newest(match, MAX_FOUND)}) AS found CROSS JOIN ${products} ON ${products.id} = found.id
    ORDER BY ${sql.join(orders[query.sort].by(), sql`, `)} LIMIT ${limit} OFFSET ${offset}`;
}
