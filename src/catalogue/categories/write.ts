import { conflict, notFound } from "../../domain/errors.ts";
import { slugOf } from "../../domain/slug.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  applyChange,
  applyCreation,
  applyDeletion,
  type WriteRequest,
} from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import { withFreeSlug } from "../../platform/db/free-slugs.ts";
import { auditedCategories, newCategory } from "./admin-queries.ts";
import type { CategoryChange, NewCategory } from "./admin-schemas.ts";
import { categoryFields } from "./fields.ts";
import { findCategory } from "./queries.ts";
import type { CategoryRow } from "./schemas.ts";

export async function createCategory(request: Omit<WriteRequest, "ifMatch">, sent: NewCategory): Promise<CategoryRow> {
  const write = (slug: string) =>
    applyCreation(request, auditedCategories, newCategory(newRow(categoryFields, sent, { slug })));
  if (sent.slug !== undefined) return write(sent.slug);
  return withFreeSlug(request.db, "categories", await slugOf(sent.name), write);
}

export async function changeCategory(request: WriteRequest, id: number, sent: CategoryChange): Promise<CategoryRow> {
  const columns = toColumns(categoryFields, sent);
  return applyChange(request, auditedCategories, "update", await requireCategory(request.db, id), () => ({ columns }));
}

/** Deletes a category that has no products. */
export async function removeCategory(request: WriteRequest, id: number): Promise<void> {
  await applyDeletion(request, auditedCategories, await requireCategory(request.db, id), () =>
    conflict("in_use", "Products are in this category: move them first"),
  );
}

export async function requireCategory(db: Database, id: number): Promise<CategoryRow> {
  const category = await findCategory(db, id);
  if (!category) throw notFound(`Category ${id}`);
  return category;
}
