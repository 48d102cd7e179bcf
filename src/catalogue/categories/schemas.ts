import * as z from "zod";
import type { categories } from "../../platform/db/schema.ts";

export type CategoryRow = typeof categories.$inferSelect & { productCount: number };

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
