import { type SQL, sql } from "drizzle-orm";
import { storageUsedUp } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { Author } from "../auth/author.ts";
import { type Database, DELETED_AT_ONCE } from "../db/client.ts";

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/**
 * Counts the bytes that an author stores, in the batch that stores them. The batch is refused if it exceeds the daily limit.
 */
export const countStoredBytes = (
  { author: { actor, dailyStorage, now } }: { author: Pick<Author, "actor" | "dailyStorage" | "now"> },
  bytes: SQL,
): SQL[] =>
  dailyStorage === undefined
    ? []
    : [
        sql`INSERT INTO stored_bytes (owner, day, bytes, day_limit) VALUES (${actor}, ${dayOf(now)}, ${bytes}, ${dailyStorage})
          ON CONFLICT (owner, day) DO UPDATE SET bytes = bytes + excluded.bytes, day_limit = excluded.day_limit`,
      ];

/** The error for a batch that exceeds the daily limit. */
export const storageRefused = (now: number) => ({
  stored_bytes_within_limit: () => storageUsedUp(Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000)),
});

/** Deletes the counts of days before yesterday. */
export const deleteOldCounts = (db: Database, now: number) =>
  db.run(sql`DELETE FROM stored_bytes WHERE rowid IN (
    SELECT rowid FROM stored_bytes WHERE day < ${dayOf(now) - 1} LIMIT ${DELETED_AT_ONCE})`);
