import * as z from "zod";
import type { categories } from "../db/schema.ts";
import { iso, line } from "../http/fields.ts";
import { Slug } from "../slug.ts";

/** Without a slug one is made from the name. */
export const NewCategory = z.strictObject({ name: line(100), slug: Slug.optional() });
export type NewCategory = z.output<typeof NewCategory>;

export const CategoryChange = z
  .strictObject({ name: line(100), slug: Slug })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "must change something");
export type CategoryChange = z.output<typeof CategoryChange>;

export type CategoryRow = typeof categories.$inferSelect & { productCount: number };

export const toCategory = (row: CategoryRow) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  product_count: row.productCount,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
