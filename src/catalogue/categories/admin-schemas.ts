import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import { changesSomething } from "../../domain/rules.ts";
import { type Answered, changeShape, newShape } from "../../platform/administration/fields.ts";
import { categoryFields } from "./fields.ts";
import type { CategoryRow } from "./schemas.ts";

/** Without a slug one is made from the name. */
export const NewCategory = z.strictObject(newShape(categoryFields)).meta({ id: "NewCategory" });
export type NewCategory = z.output<typeof NewCategory>;

export const CategoryChange = z
  .strictObject(changeShape(categoryFields))
  .partial()
  .refine(...changesSomething)
  .meta({ id: "CategoryChange", description: "Fields to change. Fields that are not sent keep their values" });
export type CategoryChange = z.output<typeof CategoryChange>;

export const Category = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    product_count: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies Answered<typeof categoryFields>)
  .meta({ id: "Category" });

export const toCategory = (row: CategoryRow): z.output<typeof Category> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  product_count: row.productCount,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
