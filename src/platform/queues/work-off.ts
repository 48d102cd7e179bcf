import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { allowsMore, type Database, DELETED_AT_ONCE, type Statement } from "../db/client.ts";
import type { QueueName } from "../db/schema.ts";
import { violates } from "../db/statements.ts";
import { causeOf, isOutage, logFault } from "../http/log.ts";
import { findPassed, insertFailure, isAmong, isFree, readIds, readPassed, runCounting } from "./failed-items.ts";

type Id = string | number;

/** Milliseconds for which a run continues a queue while items fail. */
const RUN_MS = 20_000;

/** Repetitions of a bulk statement per run. The next run takes the rest. */
const ROUNDS = 20;

const MOST_CHARACTERS = 500;

/** Records a failed item, which holds it back from its queue for a while. */
export async function holdBack(db: Database, now: number, queue: QueueName, id: Id, error: unknown): Promise<void> {
  logFault("queue item failed; it will be retried", error, { queue, item: id });
  await insertFailure(db, queue, String(id), causeOf(error).slice(0, MOST_CHARACTERS), now);
}

export type Queue<Item> = {
  queue: QueueName;
  /** Reads the due and free items (`isFree`) of one run. */
  find: () => Promise<Item[]>;
  idOf: (item: Item) => Id;
  run: (item: Item) => Promise<unknown>;
};

/**
 * Works off a queue item by item, while the invocation may make queries. Failing items do not take the place of others: the run
 * reads further ones instead.
 */
export async function workOff<Item>(db: Database, now: number, { queue, find, idOf, run }: Queue<Item>): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  const tried = new Set<Id>();
  for (let failed = 0, more = true; more; more = failed > 0 && Date.now() < endsAt && allowsMore(db)) {
    failed = 0;
    for (const item of (await find()).filter((item) => !tried.has(idOf(item)))) {
      if (!allowsMore(db) || (failed > 0 && Date.now() >= endsAt)) return;
      tried.add(idOf(item));
      try {
        await run(item);
      } catch (error) {
        failed++;
        await holdBack(db, now, queue, idOf(item), error);
      }
    }
  }
}

export type QueueClaim<Row> = {
  queue: QueueName;
  /** Id column of the item. */
  id: SQLWrapper;
  /** Selects the ids of due items that meet a condition, up to a statement's maximum. */
  due: (which: Statement) => Statement;
  /** Writes the due items that meet a condition and returns a row for each. */
  write: (which: Statement) => Promise<Row[]>;
};

/** Writes all due items with one statement. If refused, in halves: a single refused item has failed. */
export async function claim<Row>(
  db: Database,
  now: number,
  { queue, id, due, write }: QueueClaim<Row>,
): Promise<{ rows: Row[]; failed: number }> {
  const rows: Row[] = [];
  let failed = 0;
  const attempt = async (which: Statement, idsOf: () => Promise<Id[]>): Promise<void> => {
    try {
      rows.push(...(await write(which)));
    } catch (error) {
      const ids = await idsOf();
      const [first, ...others] = ids;
      if (first === undefined) throw error;
      if (others.length === 0) {
        failed++;
        return holdBack(db, now, queue, first, error);
      }
      if (!allowsMore(db)) return;
      const middle = ids.length >> 1;
      for (const half of [ids.slice(0, middle), ids.slice(middle)]) await attempt(isAmong(id, half), async () => half);
    }
  };
  const free = isFree(queue, id, now);
  await attempt(free, () => readIds(db, due(free)));
  return { rows, failed };
}

/** Rows of a table that a statement deletes or changes once they are due. */
type DueRows = {
  queue: QueueName;
  /** The key of their table. */
  id: SQLiteColumn;
  /** The condition that a row is due. */
  where: SQL | undefined;
  /** The statement that writes the selected rows and returns a row for each. Deletes them by default. */
  write?: (ids: Statement) => Statement;
  /** Maximum number of rows per statement. */
  atOnce?: number;
};

/** Items whose selection needs a statement of its own. */
type Bulk = Pick<QueueClaim<unknown>, "queue" | "id" | "due"> & Required<Pick<DueRows, "write" | "atOnce">>;

function bulkOf(work: DueRows | Bulk): Bulk {
  if ("due" in work) return work;
  const { queue, id, where, atOnce = DELETED_AT_ONCE } = work;
  return {
    queue,
    id,
    atOnce,
    due: (which) => sql`SELECT ${id} FROM ${id.table} WHERE ${where} AND ${which} LIMIT ${atOnce}`,
    write: work.write ?? ((ids) => sql`DELETE FROM ${id.table} WHERE ${id} IN (${ids}) RETURNING 1`),
  };
}

/** Works off queues with bulk statements: all in one batch, or each on its own if that fails. */
export async function workOffInBulk(db: Database, now: number, ...work: readonly (DueRows | Bulk)[]): Promise<void> {
  const queues = work.map(bulkOf);
  const statements = queues.map(({ queue, id, due, write }) => write(due(isFree(queue, id, now))));
  try {
    for (let round = 0; round < ROUNDS && allowsMore(db); round++) {
      const counts = await runCounting(db, statements);
      if (queues.every(({ atOnce }, index) => (counts[index] ?? 0) < atOnce)) return;
    }
  } catch (error) {
    logFault("queue batch failed; running each queue alone", error, { queues: queues.map(({ queue }) => queue) });
    for (const queue of queues) await drain(db, now, queue);
  }
}

async function drain(db: Database, now: number, { queue, id, due, atOnce, write }: Bulk): Promise<void> {
  const one = async (which: Statement) => Array.from({ length: (await runCounting(db, [write(due(which))]))[0] ?? 0 });
  for (let round = 0; round < ROUNDS && allowsMore(db); round++) {
    const { rows, failed } = await claim(db, now, { queue, id, due, write: one });
    if (rows.length + failed < atOnce) return;
  }
}

export type Reader = {
  db: Database;
  /** Maximum number of rows per batch. */
  most: number;
  /** Reads the next rows and moves the cursor in one batch. Returns true if more follow. */
  read: (limit: number) => Promise<boolean>;
  /** Records the next row as failed and moves the cursor past it, in one batch. */
  pass: (reason: string) => Promise<unknown>;
};

/** Reads rows after a cursor. A refused batch is read in halves: a single refused row is skipped. */
export async function readOn({ db, most, read, pass }: Reader): Promise<void> {
  let limit = most;
  for (let more = true; more && allowsMore(db); ) {
    try {
      more = await read(limit);
      limit = Math.min(limit * 2, most);
    } catch (error) {
      // An outage is not a fault of the row.
      if (isOutage(error)) throw error;
      if (limit > 1) limit >>= 1;
      else {
        await pass(causeOf(error));
        logFault("row skipped; it is read again later", error);
      }
    }
  }
}

/** Retries skipped rows that are due. `writesOf` returns the statements for one row. */
export async function readPassedAgain(
  db: Database,
  now: number,
  queue: QueueName,
  writesOf: (item: string) => readonly Statement[],
): Promise<void> {
  for (const item of await findPassed(db, queue, now)) {
    if (!allowsMore(db)) return;
    try {
      await readPassed(db, queue, item, writesOf(item));
    } catch (error) {
      if (!violates(error, "row_changed")) await holdBack(db, now, queue, item, error);
    }
  }
}
