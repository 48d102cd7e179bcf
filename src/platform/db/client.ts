import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";

/** Rows deleted per statement. */
export const DELETED_AT_ONCE = 1000;

export type Database = ReturnType<typeof connect>;

/** Sessions support every method that Drizzle uses. */
export const connect = (database: D1Database | D1DatabaseSession) => drizzle(database as D1Database);

/**
 * An SQL statement for a batch. Drizzle's batch for D1 binds a query's parameters to its `stmt`, which raw ones lack
 * (drizzle-team/drizzle-orm#2277), so this adds one, and avoids building the SQL twice.
 */
export function statement(db: Database, query: SQL) {
  const raw = db.run(query);
  const written = raw.getQuery();
  return Object.assign(raw, { stmt: db.$client.prepare(written.sql), getQuery: () => written });
}

/** An SQL statement to pass on. */
export type Statement = SQL;

type Read<Row> = BatchItem<"sqlite"> & PromiseLike<Row[]>;

/** Runs the writes, then the read, in one batch and round trip: all or nothing. */
export async function writeThenRead<Row>(db: Database, writes: readonly SQL[], read: Read<Row>): Promise<Row[]> {
  const [first = read, ...more] = writes.map((write) => statement(db, write));
  const results: unknown[] = await db.batch([first, ...more, read]);
  // Drizzle types results by their position in a tuple, which a list of writes lacks. The last one is the read's.
  return results.at(-1) as Row[];
}

/** Runs the writes as one batch. */
export async function runAll(db: Database, writes: readonly SQL[]): Promise<void> {
  const [first, ...more] = writes.map((write) => statement(db, write));
  if (first) await db.batch([first, ...more]);
}

/** Runs the writes between two reads, in one batch: the state before and after. */
export async function readAround<Before, After>(
  db: Database,
  before: Read<Before>,
  writes: readonly SQL[],
  after: Read<After>,
): Promise<[Before[], After[]]> {
  const results: unknown[] = await db.batch([before, ...writes.map((write) => statement(db, write)), after]);
  // Typed by position too: the first and last results are the reads'.
  return [results[0] as Before[], results.at(-1) as After[]];
}

/** The row of a statement that always returns one. */
export function requireRow<Row>(row: Row | null | undefined): Row {
  if (row === undefined || row === null) throw new Error("The database did not answer with a row");
  return row;
}

export const requireFirst = <Row>([row]: Row[]): Row => requireRow(row);
