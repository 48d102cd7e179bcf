import { getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { CategoryPath } from "../../domain/category-path.ts";
import type { Database } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { countProducts } from "../../platform/db/product-sql.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { categories } from "../products/tables.ts";

/** Each category before its descendants, by name. */
export const inTreeOrder = [sql`${categories.treeOrder} COLLATE NOCASE`];

/** A page of categories, each before its descendants, with the number of its products for sale. */
export function listShopCategories(db: Database, query: PageQuery) {
  const rows = db
    .select({ ...getTableColumns(categories), productCount: countProducts(sql`categories.id`, "active") })
    .from(categories)
    .orderBy(...inTreeOrder);
  return readPage(db, query, rows, categories, undefined);
}

type CategoryRow = typeof categories.$inferSelect & { productCount: number };

/** A category in the storefront API. */
export const ShopCategory = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    parent_id: z.int().nullable().describe("Id of the parent category. Null at the top level"),
    path: CategoryPath,
    product_count: z.int().describe("Number of products for sale, including those of subcategories"),
  })
  .meta({ id: "ShopCategory" });

export const toShopCategory = ({
  id,
  name,
  slug,
  parentId,
  path,
  productCount,
}: CategoryRow): z.output<typeof ShopCategory> => ({
  id,
  name,
  slug,
  parent_id: parentId,
  path,
  product_count: productCount,
});
