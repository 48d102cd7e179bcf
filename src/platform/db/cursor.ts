import { and, asc, eq, gt, gte } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { iso } from "../../domain/fields.ts";
import type { CursorQuery } from "../http/pagination.ts";
import type { PageOf } from "./page.ts";

type Columns = { id: SQLiteColumn; changedAt: SQLiteColumn };

/**
 * Rows after the cursor, by id or by time of change, in index order. Changes take two ranges, the cursor's own moment and
 * later ones, since SQLite seeks by id only where the columns before it are equal.
 */
export function afterCursor({ updated_since, after_id }: CursorQuery, { id, changedAt }: Columns) {
  if (updated_since === undefined) return { runs: [gt(id, after_id ?? 0)], orderBy: [asc(id)] };
  const runs =
    after_id === undefined
      ? [gte(changedAt, updated_since)]
      : [and(eq(changedAt, updated_since), gt(id, after_id)), gt(changedAt, updated_since)];
  return { runs, orderBy: [asc(changedAt), asc(id)] };
}

/** Rows that a query requests: one more than the page, so that nothing has to be counted. */
export const onePastPage = ({ per_page }: { per_page: number }): number => per_page + 1;

/** A page with the cursor of the next one. `rows` has one row too many if more follow. */
export function cursorPage<Row extends { id: number }>(
  query: CursorQuery & { per_page: number },
  rows: Row[],
  changedAt: (row: Row) => number,
): PageOf<Row> {
  const page = rows.slice(0, query.per_page);
  const last = page.at(-1);
  const isLast = rows.length === page.length;
  if (isLast || !last) return { rows: page, totalItems: rows.length, totalIsExact: true, next: null };
  const moment = query.updated_since === undefined ? {} : { updated_since: iso(changedAt(last)) };
  return { rows: page, totalItems: rows.length, totalIsExact: false, next: { ...moment, after_id: String(last.id) } };
}
