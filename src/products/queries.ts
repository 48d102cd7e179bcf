import { and, asc, desc, eq, getTableColumns, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { json } from "../db/json.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { products } from "../db/schema.ts";
import { slice } from "../http/pagination.ts";
import type { ProductRow, ProductsQuery } from "./schemas.ts";
import { matchExpression } from "./search.ts";
import type { Sort } from "./sorts.ts";

const filesOfProduct = (which: "published" | "all") =>
  json<ProductRow["files"]>(sql`(
    SELECT json_group_array(json_object('id', files.id, 'name', files.name) ORDER BY files.id)
    FROM product_files JOIN files ON files.id = file_id
    WHERE product_id = products.id AND (published_at <= unixepoch() * 1000 OR ${which === "all"})
  )`);

const categoryOfProduct = json<ProductRow["category"]>(sql`(
  SELECT json_object('id', id, 'name', name, 'slug', slug) FROM categories WHERE id = products.category_id
)`);

export const selectProducts = (db: Database, files: "published" | "all" = "published") =>
  db.select({ ...getTableColumns(products), category: categoryOfProduct, files: filesOfProduct(files) }).from(products);

/** A page of products and how many there are in all, in one round trip. */
export function listProducts(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  const where = and(...conditions(query), drafts ? undefined : eq(products.status, "active"));
  const { limit, offset } = slice(query);
  const rows = selectProducts(db)
    .where(where)
    .orderBy(...orders[query.sort])
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, products, where);
}

export const findProduct = (db: Database, id: number, drafts: boolean): Promise<ProductRow | undefined> =>
  selectProducts(db)
    .where(and(eq(products.id, id), drafts ? undefined : eq(products.status, "active")))
    .get();

const orders: Record<Sort, SQL[]> = {
  newest: [desc(products.createdAt), desc(products.id)],
  price: [asc(products.price), asc(products.id)],
  "-price": [desc(products.price), desc(products.id)],
  name: [sql`${products.name} COLLATE NOCASE`, asc(products.id)],
};

function conditions(query: ProductsQuery): (SQL | undefined)[] {
  const { category, search, status, type, min_price, max_price, in_stock } = query;
  return [
    category ? eq(products.categoryId, sql`(SELECT id FROM categories WHERE slug = ${category})`) : undefined,
    search ? matching(search) : undefined,
    status && eq(products.status, status),
    type && eq(products.type, type),
    min_price === undefined ? undefined : gte(products.price, min_price),
    max_price === undefined ? undefined : lte(products.price, max_price),
    in_stock === undefined ? undefined : eq(products.inStock, in_stock),
  ];
}

function matching(search: string): SQL {
  const expression = matchExpression(search);
  if (expression === null) return sql`FALSE`;
  return sql`${products.id} IN (SELECT rowid FROM products_search WHERE products_search MATCH ${expression})`;
}
