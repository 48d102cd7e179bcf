import { and, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hasSpan, type SpanQuery, spanOf } from "../../domain/span.ts";
import { type Database, requireFirst } from "./client.ts";
import type { IdBounds } from "./walk.ts";

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
