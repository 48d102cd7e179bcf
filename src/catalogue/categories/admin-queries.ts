import { getTableColumns, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { AuditedTable } from "../../platform/administration/write-queries.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { countProducts } from "../../platform/db/product-counts.ts";
import { categories } from "../../platform/db/schema.ts";
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
