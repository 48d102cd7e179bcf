import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page } from "../http/pagination.ts";
import { type Database, requireRow } from "./client.ts";
import { MAX_FOUND } from "./full-text.ts";
import { limitTo } from "./limit.ts";

/** One page of rows, and how many there are in all, or at least when that is not exact. */
export type PageOf<Row> = { rows: Row[]; totalItems: number; totalIsExact: boolean; next?: Page["next"] };

/**
 * Reads a page and its total in one round trip. `rows` is the page's query, `where` what it and the total have in common.
 * No more than MAX_FOUND rows are counted, and a list that is searched is narrowed among as many of what is `found`.
 */
export async function readPage<Row>(
  db: Database,
  rows: BatchItem<"sqlite"> & { _: { result: Row[] } },
  table: SQLiteTable,
  where: SQL | undefined,
  found?: SQL,
): Promise<PageOf<Row>> {
  const counted = sql`SELECT 1 FROM ${table} WHERE ${where ?? sql`TRUE`} ${limitTo(MAX_FOUND + 1)}`;
  const [page, [total]] = await db.batch([
    rows,
    db
      .select({
        items: sql<number>`(SELECT count(*) FROM (${counted}))`.as("items"),
        isWhole: isWhole(found).as("is_whole"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  const { items, isWhole: allFound } = requireRow(total);
  return { rows: page, totalItems: Math.min(items, MAX_FOUND), totalIsExact: allFound && items <= MAX_FOUND };
}

const isWhole = (found: SQL = sql`SELECT 1 WHERE FALSE`): SQL<boolean> =>
  sql`(SELECT count(*) FROM (${found})) < ${MAX_FOUND}`.mapWith(Boolean);
