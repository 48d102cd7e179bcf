import { difference } from "../audit/entry.ts";
import type { Author } from "../auth/author.ts";
import type { Database } from "../db/client.ts";
import { merge } from "../db/merge.ts";
import { slugOf, withUniqueSlug } from "../domain/slug.ts";
import { notFound } from "../errors.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import { deleteCategory, insertCategory, updateCategory } from "./admin-queries.ts";
import type { CategoryChange, NewCategory } from "./admin-schemas.ts";
import { findCategory } from "./queries.ts";
import type { CategoryRow } from "./schemas.ts";

const auditedState = ({ name, slug }: { name: string; slug: string }) => ({ name, slug });

export async function createCategory(db: Database, sent: NewCategory, author: Author): Promise<CategoryRow> {
  const write = (slug: string) => {
    const row = { name: sent.name, slug, createdAt: author.now, updatedAt: author.now };
    const entry = { action: "create", subject: "category", before: null, after: auditedState(row) } as const;
    return insertCategory(db, row, author, entry);
  };
  return sent.slug === undefined ? withUniqueSlug(slugOf(sent.name), write) : write(sent.slug);
}

export async function changeCategory(
  db: Database,
  id: number,
  change: CategoryChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<CategoryRow> {
  const before = await requireCategory(db, id);
  requireVersion(ifMatch, before.updatedAt);
  const states = difference(auditedState(before), auditedState(merge(before, change)));
  return updateCategory(db, before, change, author, { action: "update", subject: "category", ...states });
}

export async function removeCategory(db: Database, id: number, ifMatch: IfMatch, author: Author): Promise<void> {
  const before = await requireCategory(db, id);
  requireVersion(ifMatch, before.updatedAt);
  const entry = { action: "delete", subject: "category", before: auditedState(before), after: null } as const;
  await deleteCategory(db, before, author, entry);
}

export async function requireCategory(db: Database, id: number): Promise<CategoryRow> {
  const category = await findCategory(db, id);
  if (!category) throw notFound(`Category ${id}`);
  return category;
}
