import { sql } from "drizzle-orm";
import { ApiError } from "../../domain/errors.ts";
import { numberedSlug, UNNUMBERED } from "../../domain/slug.ts";
import type { Database } from "./client.ts";

type Table = "categories" | "products";

/** Looks up, for each of some slugs, the first number by which it is free: 1 is the slug itself. */
export const selectFreeNumbers = (db: Database, table: Table, slugs: string[]) =>
  db.select({ slug: sql<string>`slug`, n: sql<number>`n` }).from(sql`(
    WITH RECURSIVE numbered (slug, n) AS (
      SELECT DISTINCT value, 1 FROM json_each(${JSON.stringify(slugs)})
      UNION ALL
      SELECT slug, n + 1 FROM numbered WHERE EXISTS (
        SELECT 1 FROM ${sql.identifier(table)} AS other
        WHERE other.slug = iif(n = 1, numbered.slug, rtrim(substr(numbered.slug, 1, ${UNNUMBERED}), '-') || '-' || n)
      )
    )
    SELECT slug, max(n) AS n FROM numbered GROUP BY slug
  )`);

/** So many others may take a slug in the instant in which it was found to be free. */
const MOST_ATTEMPTS = 20;

/** Writes a row under the slug of its name, or under the first that is free with a number where that is taken. */
export async function withFreeSlug<Row>(
  db: Database,
  table: Table,
  slug: string,
  write: (slug: string) => Promise<Row>,
): Promise<Row> {
  let n = 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(numberedSlug(slug, n));
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !(error instanceof ApiError && error.code === "slug_taken")) throw error;
    }
    n = (await selectFreeNumbers(db, table, [slug]))[0]?.n ?? 1;
  }
}
