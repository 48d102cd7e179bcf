import { getTableColumns, sql } from "drizzle-orm";
import { auditedState } from "../administration/fields.ts";
import type { AuditedTable } from "../administration/write-queries.ts";
import { jsonRow } from "../db/json.ts";
import { countProducts } from "../db/product-counts.ts";
import { categories } from "../db/schema.ts";
import { badRequest, fieldError } from "../errors.ts";
import { type CategoryState, categoryFields } from "./fields.ts";
import type { CategoryRow } from "./schemas.ts";

export const auditedCategories: AuditedTable<CategoryRow, CategoryState> = {
  table: categories,
  name: "categories",
  subject: "category",
  json: jsonRow<CategoryRow>(getTableColumns(categories), { productCount: countProducts(sql`categories.id`, {}) }),
  audited: (state) => auditedState(categoryFields, state),
  refusals: { "categories.slug": () => badRequest(fieldError("slug", "slug_taken", "belongs to another category")) },
};

/** A new category, which its slug finds. */
export const newCategory = (row: CategoryState) => ({ row, state: row, where: sql`slug = ${row.slug}` });
