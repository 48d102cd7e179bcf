import { and, asc, eq, gt, gte } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { iso } from "../../domain/fields.ts";
import type { CursorQuery } from "../http/cursor.ts";
import type { PageOf } from "./page.ts";

type Columns = { id: SQLiteColumn; changedAt: SQLiteColumn };

/**
 * What comes after the cursor: ids ever greater, or changes ever later, in the order of an index. Changes are two runs of it,
 * those of the cursor's own moment and those after, since SQLite seeks by an id only where all before it is equal.
 */
export function afterCursor({ updated_since, after_id }: CursorQuery, { id, changedAt }: Columns) {
  if (updated_since === undefined) return { runs: [gt(id, after_id ?? 0)], orderBy: [asc(id)] };
  const runs =
    after_id === undefined
      ? [gte(changedAt, updated_since)]
      : [and(eq(changedAt, updated_since), gt(id, after_id)), gt(changedAt, updated_since)];
  return { runs, orderBy: [asc(changedAt), asc(id)] };
}

/** How many rows a query asks for: one more tells whether there are more, so that nothing is counted. */
export const onePastPage = ({ per_page }: { per_page: number }): number => per_page + 1;

/** A page of what follows, with the cursor of the next one. `rows` has one row too many where there are more. */
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
