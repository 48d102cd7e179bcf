import { and, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hasSpan, type SpanQuery, spanOf } from "../../domain/span.ts";
import { type Database, requireFirst } from "./client.ts";

/** The condition that a row is of the span that was asked for. */
export function within(column: SQLiteColumn | SQL, query: SpanQuery): SQL | undefined {
  const { from, to } = spanOf(query, Date.now());
  const moment = sql`${column}`;
  return and(from === undefined ? undefined : gte(moment, from), to === undefined ? undefined : lt(moment, to));
}

/**
 * The ids that a walk through a span is between, from the index of the moments: ids and moments rise together, but for what was
 * written out of turn.
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

// A walk through a whole list in the order of ids, which reads each row once however long the list is.

/** Behind which id a walk goes on, with which it ends at the latest, and how many rows it takes. */
type IdRange = { after: number; last: number; limit: number };

/** Which rows of a walk are read: those that follow, or those that a search found. */
export type Which = IdRange | number[];

/** The first and the last id between which a walk is, the first left out. */
export type IdBounds = Pick<IdRange, "after" | "last">;

export const isChosen = (id: SQLiteColumn, which: Which): SQL | undefined =>
  Array.isArray(which)
    ? sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(which)}))`
    : and(gt(id, which.after), lte(id, which.last));

export const limitOf = (which: Which): number => (Array.isArray(which) ? which.length : which.limit);

/** A column that no index is chosen for, so that the walk stays in the order of ids. */
export const unindexed = (column: SQLiteColumn): SQL => sql`+${column}`;
