import type { Database, Statement } from "../db/client.ts";
import type { QueueName } from "../db/schema.ts";
import { violates } from "../db/violation.ts";
import { causeOf, isOutage, logFault } from "../http/log.ts";
import { findPassed, readPassed } from "./failed-items.ts";
import { holdBack } from "./work-off.ts";

/** Batches per call. */
const MOST_BATCHES = 200;

export type Reader = {
  /** Maximum number of rows per batch. */
  most: number;
  /** Reads the next rows and moves the cursor in one batch. Returns true if more follow. */
  read: (limit: number) => Promise<boolean>;
  /** Records the next row as failed and moves the cursor past it, in one batch. */
  pass: (reason: string) => Promise<unknown>;
};

/** Reads rows after a cursor. A refused batch is read in halves: a single refused row is skipped. */
export async function readOn({ most, read, pass }: Reader): Promise<void> {
  let limit = most;
  for (let batches = 0, more = true; more && batches < MOST_BATCHES; batches++) {
    try {
      more = await read(limit);
      limit = Math.min(limit * 2, most);
    } catch (error) {
      // An outage is not the fault of a row.
      if (isOutage(error)) throw error;
      if (limit > 1) limit >>= 1;
      else {
        await pass(causeOf(error));
        logFault("a row was passed: it is read again later", error);
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
    try {
      await readPassed(db, queue, item, writesOf(item));
    } catch (error) {
      if (!violates(error, "row_changed")) await holdBack(db, now, queue, item, error);
    }
  }
}
