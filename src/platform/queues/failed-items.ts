import { desc, eq, gte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { iso, Timestamp, wholeNumber } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { type Database, runAll, type Statement, statement } from "../db/client.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../db/page.ts";
import { failedItems, type QueueName, queueNames, SHOWN_ATTEMPTS } from "../db/schema.ts";
import { pageFields } from "../http/pagination.ts";

export type FailedItemRow = typeof failedItems.$inferSelect;

export const FailedItemsQuery = z.strictObject({
  ...pageFields,
  queue: z.enum(queueNames).optional(),
  min_attempts: wholeNumber(1, 1_000_000)
    .default(SHOWN_ATTEMPTS)
    .meta({ default: SHOWN_ATTEMPTS })
    .describe("Only items that failed at least this often"),
});
export type FailedItemsQuery = z.output<typeof FailedItemsQuery>;

export const FailedItem = z
  .object({
    queue: z.enum(queueNames).describe("Name of the failing work"),
    item: z.string().describe("Id of the order, account, e-mail or other row that the work is done on"),
    attempts: z.int().describe("Number of consecutive failed attempts"),
    reason: z.string().describe("Error of the last attempt"),
    first_failed_at: Timestamp,
    last_failed_at: Timestamp,
    next_attempt_at: Timestamp.describe("Earliest time of the next attempt. The delay grows up to an hour"),
  })
  .meta({ id: "FailedItem" });

export const toFailedItem = (row: FailedItemRow): z.output<typeof FailedItem> =>
  toRecord(FailedItem, row, {
    first_failed_at: iso(row.createdAt),
    last_failed_at: iso(row.failedAt),
  });

const LONGEST_MS = 60 * MINUTE_MS;

/** Delay after failed attempts: 1, 2, 4, … 32 minutes, then an hour. */
export const delayAfter = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_MS);

/** The condition that an item is not held back after a failure. */
export const isFree = (queue: QueueName, id: SQLWrapper, now: number): SQL => sql`NOT EXISTS (
  SELECT 1 FROM failed_items WHERE queue = ${queue} AND item = CAST(${id} AS TEXT) AND next_attempt_at > ${now})`;

/** The condition that an item is in a list. */
export const isAmong = (id: SQLWrapper, ids: readonly (string | number)[]): SQL =>
  sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/**
 * The statement that records a failure. `item` may be SQL that selects the item or nothing. Runs that overlap find an item due
 * at the same time and fail together: the first to record its failure claims the attempt, and the others do not count.
 */
export const recordFailure = (queue: QueueName, item: SQL, reason: string, now: number): SQL => sql`
  INSERT INTO failed_items (queue, item, attempts, reason, created_at, failed_at, next_attempt_at)
  SELECT ${queue}, failing.item, 1, ${reason}, ${now}, ${now}, ${now + delayAfter(1)}
  FROM (SELECT CAST(${item} AS TEXT) AS item) AS failing WHERE failing.item IS NOT NULL
  ON CONFLICT DO UPDATE SET attempts = attempts + 1, reason = excluded.reason, failed_at = excluded.failed_at,
    next_attempt_at = ${now} + min(${delayAfter(1)} * (1 << min(attempts, 10)), ${LONGEST_MS})
  WHERE next_attempt_at <= ${now}`;

export const insertFailure = (db: Database, queue: QueueName, item: string, reason: string, now: number) =>
  db.run(recordFailure(queue, sql`${item}`, reason, now));

export const readIds = async (db: Database, ids: Statement): Promise<(string | number)[]> =>
  (await db.values<[string | number]>(ids)).map(([id]) => id);

/** Runs statements in one batch and returns each statement's number of rows. */
export async function runCounting(db: Database, writes: readonly Statement[]): Promise<number[]> {
  const [first, ...more] = writes.map((write) => statement(db, write));
  return first ? (await db.batch([first, ...more])).map(({ results }) => results.length) : [];
}

/** Readers skip items that fail and move on, so only the failure record brings such an item back. */
const READERS: readonly QueueName[] = ["write_emails", "add_up_sales"];

/** Deletes failure records of items that were due and did not fail again: they succeeded or left their queue. */
export const deleteSettled = (db: Database, now: number) =>
  db.run(sql`DELETE FROM failed_items WHERE next_attempt_at <= ${now} AND NOT ${isAmong(sql`queue`, READERS)}`);

/** True if a reader skipped items that are due again. */
export const hasPassed = (queue: QueueName, now: number): SQL =>
  sql`EXISTS (SELECT 1 FROM failed_items WHERE queue = ${queue} AND next_attempt_at <= ${now})`;

export const findPassed = async (db: Database, queue: QueueName, now: number): Promise<string[]> =>
  (
    await db.all<{ item: string }>(
      sql`SELECT item FROM failed_items WHERE queue = ${queue} AND next_attempt_at <= ${now} ORDER BY next_attempt_at`,
    )
  ).map(({ item }) => item);

/** Reads a skipped item and deletes its record in one batch, so that it is read once. */
export const readPassed = (db: Database, queue: QueueName, item: string, writes: readonly SQL[]): Promise<void> => {
  const record = sql`queue = ${queue} AND item = ${item}`;
  return runAll(db, [
    sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM failed_items WHERE ${record})`,
    ...writes,
    sql`DELETE FROM failed_items WHERE ${record}`,
  ]);
};

/** A page of repeatedly failing items, latest failure first. */
export function listFailedItems(db: Database, query: FailedItemsQuery): Promise<PageOf<FailedItemRow>> {
  const where = allOf({
    min_attempts: gte(failedItems.attempts, query.min_attempts),
    queue: query.queue && eq(failedItems.queue, query.queue),
  } satisfies Conditions<FailedItemsQuery>);
  const rows = db
    .select()
    .from(failedItems)
    .where(where)
    .orderBy(desc(failedItems.failedAt), failedItems.queue, failedItems.item);
  return readPage(db, query, rows, failedItems, where);
}
