import { and, asc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { MAX_FOUND, newestFound } from "../../db/full-text.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { slice } from "../../http/pagination.ts";
import type { AllProductsQuery } from "../admin-schemas.ts";
import { LOW_STOCK } from "../low-stock.ts";
import type { ProductRow } from "../schemas.ts";
import { categoryId } from "./category-queries.ts";
import { selectPage } from "./found-queries.ts";
import { readListing } from "./read-queries.ts";
import { orders } from "./runs-queries.ts";

/** Active products whose stock is managed: those of the index products_running_out, which says it in these words. */
const inStockIndex = sql`manage_stock = 1 AND status = 'active'`;

export const isLow = sql`${inStockIndex} AND stock_quantity <= ${LOW_STOCK}`;

/**
 * A page of active products whose stock is managed: of the 10,000 that have the least, which the index of stock has in
 * their order. Narrowed and sorted among these, so that no list reads more.
 */
export async function listByStock(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  const order = () => (query.sort === "stock" ? leastFirst() : orders[query.sort].by());
  const { limit, offset } = slice(query);
  const among = sql`
    FROM (
      SELECT id FROM products WHERE ${query.low_stock ? isLow : inStockIndex}
      ORDER BY stock_quantity, id LIMIT ${MAX_FOUND}
    ) AS least CROSS JOIN ${products} ON ${products.id} = least.id
    WHERE ${and(sql`TRUE`, ...conditions(query))}`;
  const ids = sql`SELECT ${products.id} ${among} ORDER BY ${sql.join(order(), sql`, `)} LIMIT ${limit} OFFSET ${offset}`;
  const page = selectPage(db, ids).orderBy(...order());
  return readListing(db, query, page, sql<number>`(SELECT count(*) ${among})`);
}

const leastFirst = (): SQL[] => [asc(products.stockQuantity), asc(products.id)];

function conditions(query: AllProductsQuery): (SQL | undefined)[] {
  const { status, type, category, in_stock, min_price, max_price, search } = query;
  return [
    status && eq(products.status, status),
    type && eq(products.type, type),
    category === undefined ? undefined : eq(products.categoryId, categoryId(category)),
    in_stock === undefined ? undefined : eq(products.soldOut, !in_stock),
    min_price === undefined ? undefined : gte(products.price, min_price),
    max_price === undefined ? undefined : lte(products.price, max_price),
    search ? sql`${products.id} IN (${newestFound(sql`products_search`, search)})` : undefined,
  ];
}
