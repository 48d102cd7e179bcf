import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";

/** Rows deleted per statement. */
export const DELETED_AT_ONCE = 1000;

export type Database = ReturnType<typeof connect>;

/** A session answers statements as the database itself does; Drizzle uses nothing that it lacks. */
export const connect = (database: D1Database | D1DatabaseSession) => drizzle(database as D1Database);

/**
 * A statement written in SQL, for a batch. Drizzle's batch for D1 binds the parameters of a query to its `stmt`, which a
 * raw one lacks (drizzle-team/drizzle-orm#2277), so it is given one; and would write its SQL out a second time.
 */
export function statement(db: Database, query: SQL) {
  const raw = db.run(query);
  const written = raw.getQuery();
  return Object.assign(raw, { stmt: db.$client.prepare(written.sql), getQuery: () => written });
}

/** A statement written in SQL, for those who hand it on. */
export type Statement = SQL;

type Read<Row> = BatchItem<"sqlite"> & PromiseLike<Row[]>;

/** Runs the writes, then the read, as one batch: a single round trip, of which everything is written or nothing. */
export async function writeThenRead<Row>(db: Database, writes: readonly SQL[], read: Read<Row>): Promise<Row[]> {
  const [first = read, ...more] = writes.map((write) => statement(db, write));
  const results: unknown[] = await db.batch([first, ...more, read]);
  // Drizzle types a result by its place in a tuple, which a list of writes does not have: the last one is the read's.
  return results.at(-1) as Row[];
}

/** Runs the writes as one batch. */
export async function runAll(db: Database, writes: readonly SQL[]): Promise<void> {
  const [first, ...more] = writes.map((write) => statement(db, write));
  if (first) await db.batch([first, ...more]);
}

/** Runs the writes between two reads, as one batch: what there was before them, and after. */
export async function readAround<Before, After>(
  db: Database,
  before: Read<Before>,
  writes: readonly SQL[],
  after: Read<After>,
): Promise<[Before[], After[]]> {
  const results: unknown[] = await db.batch([before, ...writes.map((write) => statement(db, write)), after]);
  // Typed by their places too: the first and the last are the reads'.
  return [results[0] as Before[], results.at(-1) as After[]];
}

/** The row of a statement that always returns one. */
export function requireRow<Row>(row: Row | null | undefined): Row {
  if (row === undefined || row === null) throw new Error("The database did not answer with a row");
  return row;
}

export const requireFirst = <Row>([row]: Row[]): Row => requireRow(row);
