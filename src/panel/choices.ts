import { asc, desc } from "drizzle-orm";
import type { Database } from "../platform/db/client.ts";
import { categories, files } from "../platform/db/schema.ts";

export type NamedId = { id: number; name: string };

/** Choices including those already selected, however old, so that saving a form removes nothing. */
export const withChosen = <Any extends NamedId>(choices: readonly Any[], chosen: readonly NamedId[]): NamedId[] => [
  ...chosen.filter(({ id }) => !choices.some((choice) => choice.id === id)),
  ...choices,
];

/** A file's label in a list of choices. */
export const namesOf = (files: FormChoices["files"]): NamedId[] =>
  files.map(({ id, name, fileName }) => ({ id, name: `${name} (${fileName})` }));

/** Maximum number of choices in a form. */
const SHOWN = 200;

/** Reads the categories and the newest files for forms, in one round trip. */
export async function readChoices(db: Database) {
  const [categoryRows, fileRows] = await db.batch([
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .orderBy(asc(categories.name), asc(categories.id))
      .limit(SHOWN),
    db
      .select({ id: files.id, name: files.name, fileName: files.fileName })
      .from(files)
      .orderBy(desc(files.createdAt), desc(files.id))
      .limit(SHOWN),
  ]);
  return { categories: categoryRows, files: fileRows };
}

export type FormChoices = Awaited<ReturnType<typeof readChoices>>;
