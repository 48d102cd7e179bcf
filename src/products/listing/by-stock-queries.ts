import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { MAX_FOUND, newestFound } from "../../db/full-text.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { limitAndOffset } from "../../http/pagination.ts";
import type { AllProductsQuery } from "../admin-schemas.ts";
import { LOW_STOCK } from "../low-stock.ts";
import type { ProductRow } from "../schemas.ts";
import { sortOrderOf } from "../sorts.ts";
import { filterConditions } from "./filter-queries.ts";
import { orderBy } from "./index-queries.ts";
import { readListing } from "./read-queries.ts";

/** Active products whose stock is managed: those of the index products_running_out, which says it in these words. */
const inStockIndex = sql`manage_stock = 1 AND status = 'active'`;

export const isLow = sql`${inStockIndex} AND stock_quantity <= ${LOW_STOCK}`;

/**
 * A page of active products whose stock is managed: of the 10,000 that have the least, which the index of stock has in
 * their order. Narrowed and sorted among these, so that no list reads more.
 */
export async function listByStock(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  const order = orderOfQuery(query);
  const { limit, offset } = limitAndOffset(query);
  const among = sql`
    FROM (
      SELECT id FROM products WHERE ${query.low_stock ? isLow : inStockIndex}
      ORDER BY stock_quantity, id LIMIT ${MAX_FOUND}
    ) AS least CROSS JOIN ${products} ON ${products.id} = least.id
    WHERE ${and(sql`TRUE`, ...conditions(query))}`;
  return readListing(db, {
    category: query.category,
    ids: sql`
      SELECT ${products.id} ${among} ORDER BY ${sql.join(order, sql`, `)} LIMIT ${limit} OFFSET ${offset}`,
    orderBy: order,
    items: sql<number>`(SELECT count(*) ${among})`,
  });
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
