import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Entry } from "../audit/entry.ts";
import { auditEntry } from "../audit/queries.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireFirst, requireRow, writeThenRead } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { nextVersion, unchanged } from "../db/precondition.ts";
import { categories } from "../db/schema.ts";
import { translateViolations } from "../db/violation.ts";
import { badRequest, conflict, fieldError } from "../errors.ts";
import { editedMeanwhile } from "../http/version.ts";
import { writeOnce } from "../idempotency/queries.ts";
import type { CategoryChange } from "./admin-schemas.ts";
import { categoryById } from "./queries.ts";
import type { CategoryRow } from "./schemas.ts";

const taken = { "categories.slug": () => badRequest(fieldError("slug", "slug_taken", "belongs to another category")) };

/** One that was just made. */
const newCategoryAsJson = jsonRow(getTableColumns(categories), { productCount: sql`0` });

export async function insertCategory(
  db: Database,
  row: typeof categories.$inferInsert,
  author: Author,
  entry: Entry,
): Promise<CategoryRow> {
  const writes = [
    db.insert(categories).values(row).getSQL(),
    auditEntry(author, entry, sql`(SELECT id FROM categories WHERE slug = ${row.slug})`),
  ];
  const answer = sql`(SELECT ${newCategoryAsJson} FROM categories WHERE slug = ${row.slug})`;
  return requireRow(await translateViolations(writeOnce<CategoryRow>(db, author, writes, answer), taken));
}

/** Writes what changed, unless the category was edited since `before` was read. */
export async function updateCategory(
  db: Database,
  before: CategoryRow,
  change: CategoryChange,
  author: Author,
  entry: Entry,
): Promise<CategoryRow> {
  const update = db
    .update(categories)
    .set({ ...change, updatedAt: nextVersion(before, author.now) })
    .where(eq(categories.id, before.id));
  const writes = [unchanged("categories", before), update.getSQL(), auditEntry(author, entry, before.id)];
  const written = writeThenRead(db, writes, categoryById(db, before.id));
  return requireFirst(await translateViolations(written, { ...taken, ...editedMeanwhile }));
}

/** Deletes a category that has no products. */
export async function deleteCategory(db: Database, category: CategoryRow, author: Author, entry: Entry): Promise<void> {
  const writes = [
    unchanged("categories", category),
    sql`DELETE FROM categories WHERE id = ${category.id}`,
    auditEntry(author, entry, category.id),
  ];
  await translateViolations(writeThenRead(db, writes, categoryById(db, category.id)), {
    "FOREIGN KEY": () => conflict("in_use", "Products are in this category: move them first"),
    ...editedMeanwhile,
  });
}
