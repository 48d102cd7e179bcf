import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { countProducts } from "../../platform/db/product-counts.ts";
import type { ProductStatus } from "../../platform/db/tables/product-lists.ts";
import { categories } from "../../platform/db/tables/products.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import type { CategoryRow } from "./schemas.ts";

/** With the number of its products: all, or those that are for sale. */
const selectCategories = (db: Database, status?: ProductStatus) =>
  db
    .select({ ...getTableColumns(categories), productCount: countProducts(sql`categories.id`, { status }) })
    .from(categories);

/** A page of categories by name, and how many there are, in one round trip. */
export function listCategories(db: Database, query: PageQuery, status?: ProductStatus) {
  const { limit, offset } = limitAndOffset(query);
  const rows = selectCategories(db, status)
    .orderBy(sql`${categories.name} COLLATE NOCASE`, asc(categories.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, categories, undefined);
}

export const findCategory = (db: Database, id: number): Promise<CategoryRow | undefined> =>
  selectCategories(db).where(eq(categories.id, id)).get();
