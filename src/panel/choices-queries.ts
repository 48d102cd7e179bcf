import { asc, desc } from "drizzle-orm";
import type { Database } from "../platform/db/client.ts";
import { categories, files } from "../platform/db/schema.ts";

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
