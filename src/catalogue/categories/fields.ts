import { MAX_CATEGORY_NAME } from "../../domain/category-name.ts";
import { line } from "../../domain/fields.ts";
import { Slug } from "../../domain/slug.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import type { CategoryRow } from "./schemas.ts";

export type CategoryState = Omit<CategoryRow, "id" | "productCount" | "createdAt" | "updatedAt">;

/** The fields of a category that administrators edit. */
export const categoryFields = declareFields<CategoryState>()({
  name: { column: "name", schema: line(MAX_CATEGORY_NAME) },
  slug: { column: "slug", schema: Slug, derived: true },
});
