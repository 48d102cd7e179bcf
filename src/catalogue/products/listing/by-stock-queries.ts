import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { MAX_FOUND, newestFound } from "../../../platform/db/full-text.ts";
import { limitTo } from "../../../platform/db/limit.ts";
import type { PageOf } from "../../../platform/db/page.ts";
import { products, stockIsLow, stockIsManaged } from "../../../platform/db/schema.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { AllProductsQuery } from "../admin-schemas.ts";
import type { ProductRow } from "../schemas.ts";
import { sortOrderOf } from "../sorts.ts";
import { filterConditions } from "./filter-queries.ts";
import { orderBy } from "./index-queries.ts";
import { type Listing, readListing } from "./read-queries.ts";

/**
 * A page of active products whose stock is managed, or low: of the 10,000 that have the least, which an index has in
 * their order. Narrowed and sorted among these, so that no list reads more.
 */
export const listByStock = (db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> =>
  readListing(db, byStock(query));

export function byStock(query: AllProductsQuery): Listing {
  const order = orderOfQuery(query);
  const { limit, offset } = limitAndOffset(query);
  const among = sql`
    FROM (
      SELECT id FROM products WHERE ${query.low_stock ? stockIsLow : stockIsManaged}
      ORDER BY stock_quantity, id ${limitTo(MAX_FOUND)}
    ) AS least CROSS JOIN ${products} ON ${products.id} = least.id
    WHERE ${and(sql`TRUE`, ...conditions(query))}`;
  return {
    category: query.category,
    ids: sql`
      SELECT ${products.id} ${among} ORDER BY ${sql.join(order, sql`, `)} ${limitTo(limit, offset)}`,
    orderBy: order,
    items: sql<number>`(SELECT count(*) ${among})`,
  };
}

function orderOfQuery({ sort }: AllProductsQuery): SQL[] {
  if (sort === "stock") return [asc(products.stockQuantity), asc(products.id)];
  const { order, backwards } = sortOrderOf[sort];
  return orderBy(order, backwards);
}

function conditions(query: AllProductsQuery): (SQL | undefined)[] {
  const { status, search } = query;
  return [
    status && eq(products.status, status),
    ...filterConditions(query),
    search ? sql`${products.id} IN (${newestFound(sql`products_search`, search)})` : undefined,
  ];
}
