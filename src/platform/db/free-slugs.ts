import { sql } from "drizzle-orm";
import { ApiError } from "../../domain/errors.ts";
import { numberedSlug, UNNUMBERED } from "../../domain/slug.ts";
import type { Database } from "./client.ts";

type Table = "categories" | "products";

/** For each slug, the first number that makes it unique: 1 is the slug itself. */
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

/** Number of attempts, in case others take a slug just after it was found to be free. */
const MOST_ATTEMPTS = 20;

/** Writes a row under the slug of its name, or the first free numbered one. */
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
