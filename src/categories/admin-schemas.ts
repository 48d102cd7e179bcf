import * as z from "zod";
import { iso, line, Timestamp } from "../domain/fields.ts";
import { changesSomething } from "../domain/rules.ts";
import { Slug } from "../domain/slug.ts";
import type { CategoryRow } from "./schemas.ts";

/** Without a slug one is made from the name. */
export const NewCategory = z.strictObject({ name: line(100), slug: Slug.optional() }).meta({ id: "NewCategory" });
export type NewCategory = z.output<typeof NewCategory>;

export const CategoryChange = z
  .strictObject({ name: line(100), slug: Slug })
  .partial()
  .refine(...changesSomething)
  .meta({ id: "CategoryChange", description: "The fields that are sent change, and no others" });
export type CategoryChange = z.output<typeof CategoryChange>;

export const Category = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    product_count: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Category" });

export const toCategory = (row: CategoryRow): z.output<typeof Category> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  product_count: row.productCount,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
