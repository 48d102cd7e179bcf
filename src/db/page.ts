import { count, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page } from "../http/pagination.ts";
import type { Database } from "./client.ts";
import { MAX_FOUND } from "./full-text.ts";

/** One page of rows, and how many there are in all, or at least when that is not exact. */
export type PageOf<Row> = { rows: Row[]; totalItems: number; totalIsExact: boolean; next?: Page["next"] };

/**
 * Reads a page and its total in one round trip. `rows` is the page's query, `where` what it and the total have in common.
 * A list that is searched is narrowed among what is `found`, which ends at MAX_FOUND.
 */
export async function readPage<Row>(
  db: Database,
  rows: BatchItem<"sqlite"> & { _: { result: Row[] } },
  table: SQLiteTable,
  where: SQL | undefined,
  found?: SQL,
): Promise<PageOf<Row>> {
  const [page, [total]] = await db.batch([
    rows,
    db
      .select({ items: count(), isWhole: isWhole(found) })
      .from(table)
      .where(where),
  ]);
  return { rows: page, totalItems: total?.items ?? 0, totalIsExact: total?.isWhole ?? true };
}

const isWhole = (found: SQL = sql`SELECT 1 WHERE FALSE`): SQL<boolean> =>
  sql`(SELECT count(*) FROM (${found})) < ${MAX_FOUND}`.mapWith(Boolean);
