import { asc, desc } from "drizzle-orm";
import type { Database } from "../platform/db/client.ts";
import { categories, files } from "../platform/db/schema.ts";

type Choice = { id: number; name: string };

/** The choices with what is chosen already, though it is too old to be among them: saving a form takes nothing away. */
export const withChosen = <Any extends Choice>(choices: readonly Any[], chosen: readonly Choice[]): Choice[] => [
  ...chosen.filter(({ id }) => !choices.some((choice) => choice.id === id)),
  ...choices,
];

/** A file to choose, by what people know it by. */
export const namesOf = (files: Choices["files"]): Choice[] =>
  files.map(({ id, name, fileName }) => ({ id, name: `${name} (${fileName})` }));

/** What a form lets one choose from: all that a page can show. */
const SHOWN = 200;

/** The categories and the newest files, for the forms that choose from them, in one round trip. */
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

export type Choices = Awaited<ReturnType<typeof readChoices>>;
