import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { products, stockIsLow, stockIsManaged } from "../../platform/db/schema.ts";
import type { AllProductFilters } from "./admin-schemas.ts";
import { filterConditions } from "./listing/filter-queries.ts";
import { matching } from "./listing/found-queries.ts";
import { fromIndex } from "./listing/index-queries.ts";
import { readIds } from "./listing/read-queries.ts";

/** The ids of a list of products in the order of ids, as many as follow: all of them in the end, however many there are. */
export const idsOfProducts = (db: Database, query: AllProductFilters, after: number, limit: number) =>
  readIds(db, { category: query.category, ids: idsAfter(query, after, limit), orderBy: [], items: sql`0` });

function idsAfter(query: AllProductFilters, after: number, limit: number): SQL {
  const { low_stock, sort, search, status } = query;
  const stock = low_stock ? stockIsLow : sort === "stock" ? stockIsManaged : undefined;
  const found = search && sql`products_search WHERE ${matching(query)} AND rowid > ${after} ORDER BY rowid`;
  if (!stock) {
    return found
      ? sql`SELECT rowid AS id FROM ${found} LIMIT ${limit}`
      : sql`SELECT id ${fromIndex(query, "newest")} AND id > ${after} ORDER BY id LIMIT ${limit}`;
  }
  if (found)
    return sql`
      SELECT products.id FROM (SELECT rowid AS id FROM ${found}) AS found CROSS JOIN products ON products.id = found.id
      WHERE ${stock} ORDER BY found.id LIMIT ${limit}`;
  const where = and(stock, status && eq(products.status, status), ...filterConditions(query));
  return sql`SELECT id FROM products NOT INDEXED WHERE ${where} AND id > ${after} ORDER BY id LIMIT ${limit}`;
}
