import { desc } from "drizzle-orm";
import { inTreeOrder } from "../catalogue/categories/shop-categories.ts";
import type { Database } from "../platform/db/client.ts";
import { categories, files } from "../platform/db/schema.ts";
import { findTags } from "../platform/db/tags.ts";

export type NamedId = { id: number; name: string };

/** Choices including those already selected, however old, so that saving a form removes none. */
export const withChosen = <Any extends NamedId>(choices: readonly Any[], chosen: readonly NamedId[]): NamedId[] => [
  ...chosen.filter(({ id }) => !choices.some((choice) => choice.id === id)),
  ...choices,
];

/** A file's label in a list of choices. */
export const namesOf = (files: FormChoices["files"]): NamedId[] =>
  files.map(({ id, name, fileName }) => ({ id, name: `${name} (${fileName})` }));

/** Maximum number of choices in a form. */
const MAX_CHOICES = 200;
const SHOWN_CATEGORIES = 500;

/** Categories to choose from, in the order of the tree. */
export const selectCategories = (db: Database) =>
  db
    .select({ id: categories.id, slug: categories.slug, path: categories.path })
    .from(categories)
    .orderBy(...inTreeOrder)
    .limit(SHOWN_CATEGORIES);

/** A category in a list of choices in the order of the tree, indented by its level. */
export const indented = <Row extends Pick<typeof categories.$inferSelect, "path">>(row: Row) => ({
  ...row,
  name: "\u2003".repeat(Math.max(0, row.path.length - 1)) + (row.path.at(-1)?.name ?? ""),
});

/** Reads the categories, the tags that products have and the newest files for forms, in one round trip. */
export async function readChoices(db: Database) {
  const [categoryRows, tagRows, fileRows] = await db.batch([
    selectCategories(db),
    findTags(db, "products", MAX_CHOICES),
    db
      .select({ id: files.id, name: files.name, fileName: files.fileName })
      .from(files)
      .orderBy(desc(files.createdAt), desc(files.id))
      .limit(MAX_CHOICES),
  ]);
  return { categories: categoryRows.map(indented), tags: tagRows.map(({ name }) => name), files: fileRows };
}

/** Reads the tags that customers or orders have. */
export const readTags = async (db: Database, table: "users" | "orders"): Promise<string[]> =>
  (await findTags(db, table, MAX_CHOICES)).map(({ name }) => name);

export type FormChoices = Awaited<ReturnType<typeof readChoices>>;
