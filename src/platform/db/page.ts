import { and, asc, eq, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hasSpan, iso, type SpanQuery, spanOf } from "../../domain/fields.ts";
import { type CursorQuery, limitAndOffset, type Page, type PageQuery, pageOf } from "../http/pagination.ts";
import { type Database, requireFirst, requireRow } from "./client.ts";
import { matchExpression } from "./search-words.ts";

/** A page of a list with its rows. */
export type PageOf<Row> = Page & { rows: Row[] };

/** A query before its LIMIT. */
type PageableQuery<Row> = {
  limit: (rows: number) => { offset: (rows: number) => BatchItem<"sqlite"> & { _: { result: Row[] } } };
};

/**
 * Reads a page and its total in one round trip. `rows` is the list's query, `where` the condition that both share. Counts at
 * most MAX_FOUND rows, and narrows a searched list among as many of `found`.
 */
export async function readPage<Row>(
  db: Database,
  query: PageQuery,
  rows: PageableQuery<Row>,
  table: SQLiteTable,
  where: SQL | undefined,
  found?: SQL,
): Promise<PageOf<Row>> {
  const counted = sql`SELECT 1 FROM ${table} WHERE ${where ?? sql`TRUE`} ${limitTo(MAX_FOUND + 1)}`;
  const { limit, offset } = limitAndOffset(query);
  const [page, [total]] = await db.batch([
    rows.limit(limit).offset(offset),
    db
      .select({
        items: sql<number>`(SELECT count(*) FROM (${counted}))`.as("items"),
        isWhole: isWhole(found).as("is_whole"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  const { items, isWhole: allFound } = requireRow(total);
  return { rows: page, ...pageOf(query, Math.min(items, MAX_FOUND), allFound && items <= MAX_FOUND) };
}

const isWhole = (found: SQL = sql`SELECT 1 WHERE FALSE`): SQL<boolean> =>
  sql`(SELECT count(*) FROM (${found})) < ${MAX_FOUND}`.mapWith(Boolean);

/**
 * Computed rather than bound: for each bound LIMIT, SQLite prepares the statement again, which takes as long as reading a
 * page.
 */
export const limitTo = (rows: number | SQL, skipped: number | SQL = sql.raw("0")): SQL =>
  sql`LIMIT ${rows} + 0 OFFSET ${skipped} + 0`;

/**
 * Maximum number of newest matches that a search counts, sorts and pages through, since counting and sorting read each match.
 * Older ones are found with another word.
 */
export const MAX_FOUND = 10_000;

/** The ids of the newest matches for a full-text query, as `matchExpression` writes it. Empty without one. */
export function newestMatching(table: SQL, words: string | null, most = MAX_FOUND): SQL {
  if (words === null) return sql`SELECT NULL AS id WHERE FALSE`;
  return sql`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ${words} ORDER BY rowid DESC ${limitTo(most)}`;
}

/** The ids of the newest matches for a typed text in a full-text table. Empty for a text without words. */
export const newestFound = (table: SQL, search: string, most?: number): SQL =>
  newestMatching(table, matchExpression(search), most);

/** All ids found by a search after an id, in id order. */
export async function idsFound(
  db: Database,
  { table, search }: { table: SQL; search: string },
  after: number,
  limit: number,
): Promise<number[]> {
  const words = matchExpression(search);
  if (words === null) return [];
  const rows = await db.all<{ id: number }>(
    sql`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ${words} AND rowid > ${after} ORDER BY rowid ${limitTo(limit)}`,
  );
  return rows.map(({ id }) => id);
}

/**
 * A condition for each filter of a list's query, so that a filter without one does not compile. Filters in `Elsewhere`
 * are not plain conditions, such as words that are searched.
 */
export type Conditions<Query, Elsewhere extends keyof Query = never> = Record<
  Exclude<keyof Query, keyof PageQuery | keyof CursorQuery | keyof SpanQuery | Elsewhere>,
  SQL | undefined
>;

export const allOf = (conditions: Record<string, SQL | undefined>): SQL | undefined =>
  and(...Object.values(conditions));

type Columns = { id: SQLiteColumn; changedAt: SQLiteColumn };

/**
 * Rows after the cursor, by id or by time of change, in index order. Changes take two ranges, the cursor's own time and
 * later ones, because SQLite seeks by id only if the columns before it are equal.
 */
export function afterCursor({ updated_since, after_id }: CursorQuery, { id, changedAt }: Columns) {
  if (updated_since === undefined) return { runs: [gt(id, after_id ?? 0)], orderBy: [asc(id)] };
  const runs =
    after_id === undefined
      ? [gte(changedAt, updated_since)]
      : [and(eq(changedAt, updated_since), gt(id, after_id)), gt(changedAt, updated_since)];
  return { runs, orderBy: [asc(changedAt), asc(id)] };
}

/** A query that needs a LIMIT and no offset. */
export type UnlimitedQuery<Row> = { limit: (rows: number) => BatchItem<"sqlite"> & { _: { result: Row[] } } };

/** Reads the page after a cursor in one round trip. `select` is the list's query with one more condition, in this order. */
export async function readFollowing<Row extends { id: number }>(
  db: Database,
  query: CursorQuery & PageQuery,
  columns: Columns & { read: (row: Row) => number },
  select: (isAfter: SQL | undefined, orderBy: SQL[]) => UnlimitedQuery<Row>,
): Promise<PageOf<Row>> {
  const { runs, orderBy } = afterCursor(query, columns);
  const most = onePastPage(query);
  const read = (run: SQL | undefined) => select(run, orderBy).limit(most);
  const [first, ...others] = runs;
  const found: Row[][] = await db.batch([read(first), ...others.map(read)]);
  return cursorPage(query, found.flat().slice(0, most), columns.read);
}

/** Rows that a query requests: one more than the page, so that nothing has to be counted. */
export const onePastPage = ({ per_page }: { per_page: number }): number => per_page + 1;

/** A page with the cursor of the next one. `rows` has one extra row if more follow. */
export function cursorPage<Row extends { id: number }>(
  query: CursorQuery & PageQuery,
  rows: Row[],
  changedAt: (row: Row) => number,
): PageOf<Row> {
  const page = rows.slice(0, query.per_page);
  const last = page.at(-1);
  const isLast = rows.length === page.length;
  if (isLast || !last) return { rows: page, ...pageOf(query, rows.length, true, null) };
  const moment = query.updated_since === undefined ? {} : { updated_since: iso(changedAt(last)) };
  return { rows: page, ...pageOf(query, rows.length, false, { ...moment, after_id: String(last.id) }) };
}

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
