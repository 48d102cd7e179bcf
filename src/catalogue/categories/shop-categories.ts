import { asc, getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { countProducts } from "../../platform/db/product-sql.ts";
import { categories } from "../../platform/db/tables/products.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";

/** A page of categories by name, each with the number of its products that are for sale. */
export function listShopCategories(db: Database, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select({ ...getTableColumns(categories), productCount: countProducts(sql`categories.id`, { status: "active" }) })
    .from(categories)
    .orderBy(sql`${categories.name} COLLATE NOCASE`, asc(categories.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, categories, undefined);
}

type CategoryRow = typeof categories.$inferSelect & { productCount: number };

/** A category in the storefront API. */
export const ShopCategory = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    product_count: z.int().describe("Number of products for sale"),
  })
  .meta({ id: "ShopCategory" });

export const toShopCategory = ({ id, name, slug, productCount }: CategoryRow): z.output<typeof ShopCategory> => ({
  id,
  name,
  slug,
  product_count: productCount,
});
