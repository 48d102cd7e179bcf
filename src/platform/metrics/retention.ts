import { sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import { type Database, DELETED_AT_ONCE } from "../db/client.ts";

export const KEPT_DAYS = { minute: 7, day: 90 };

/** Deletes the minutes of more than a week ago, and the days of more than 90 days ago. */
export async function deleteOldRequestCounts(db: Database, now: number): Promise<void> {
  for (const [period, days] of Object.entries(KEPT_DAYS)) {
    await db.run(sql`DELETE FROM request_counts WHERE rowid IN (
      SELECT rowid FROM request_counts WHERE period = ${period} AND start < ${now - days * DAY_MS} LIMIT ${DELETED_AT_ONCE})`);
  }
}
