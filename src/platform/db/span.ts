import { and, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hasSpan, type SpanQuery, spanOf } from "../../domain/span.ts";
import { type Database, requireFirst } from "./client.ts";

/** The condition that a row is within the requested span. */
export function within(column: SQLiteColumn | SQL, query: SpanQuery): SQL | undefined {
  const { from, to } = spanOf(query, Date.now());
  const moment = sql`${column}`;
  return and(from === undefined ? undefined : gte(moment, from), to === undefined ? undefined : lt(moment, to));
}

/**
 * The ids that bound a time span, from the index of times. Ids and times rise together, except for rows written out of
 * order.
 */
export async function idsOfSpan(
  db: Database,
  table: SQLiteTable & { id: SQLiteColumn },
  moment: SQLiteColumn,
  query: SpanQuery,
): Promise<IdBounds> {
  if (!hasSpan(query)) return { after: 0, last: Number.MAX_SAFE_INTEGER };
  const ends = { first: sql<number | null>`min(${table.id})`, last: sql<number | null>`max(${table.id})` };
  const { first, last } = requireFirst(await db.select(ends).from(table).where(within(moment, query)));
  return { after: (first ?? 1) - 1, last: last ?? 0 };
}

// Reads a whole list in id order, each row once.

/** The id after which reading continues, the last id, and the number of rows. */
type IdRange = { after: number; last: number; limit: number };

/** The next rows to read: the following ones, or those found by a search. */
export type Which = IdRange | number[];

/** Bounds of a walk: the first id is excluded, the last included. */
export type IdBounds = Pick<IdRange, "after" | "last">;

export const isChosen = (id: SQLiteColumn, which: Which): SQL | undefined =>
  Array.isArray(which)
    ? sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(which)}))`
    : and(gt(id, which.after), lte(id, which.last));

export const limitOf = (which: Which): number => (Array.isArray(which) ? which.length : which.limit);

/** Hides a column from SQLite's choice of index, so that rows are read in id order. */
export const unindexed = (column: SQLiteColumn): SQL => sql`+${column}`;
