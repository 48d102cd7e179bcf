import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { type Database, statement } from "../db/client.ts";
import { eventCursors, events } from "../db/schema.ts";
import { insertSelected } from "../db/statements.ts";

/** A digest covers a day that ends at 6:00 UTC. */
const ENDS_AT_MS = 6 * HOUR_MS;

type Digest = {
  /** Name of the digest's position among the events. */
  reader: string;
  /** Statement that queues the e-mails about the events after a position, if they are due. */
  queue: (after: SQL, isDue: SQL) => SQL;
};

/** Queues a daily digest for staff, and moves its position. */
export async function queueDaily(db: Database, now: number, { reader, queue }: Digest): Promise<void> {
  const after = sql`coalesce((SELECT ${eventCursors.afterId} FROM ${eventCursors} WHERE ${eventCursors.reader} = ${reader}), 0)`;
  const dayBegan = now - ((now - ENDS_AT_MS) % DAY_MS);
  /** True if an event after the position occurred on a day that has ended. */
  const isDue = sql`coalesce((
    SELECT ${events.createdAt} FROM ${events} WHERE ${events.id} > ${after} ORDER BY ${events.id} LIMIT 1
  ) < ${dayBegan}, FALSE)`;
  const { due } = await db.get<{ due: number }>(sql`SELECT ${isDue} AS due`);
  if (!due) return;
  await db.batch([
    statement(db, queue(after, isDue)),
    statement(
      db,
      insertSelected(
        eventCursors,
        { reader, afterId: sql`(SELECT max(${events.id}) FROM ${events})` },
        sql`WHERE ${isDue} ON CONFLICT DO UPDATE SET after_id = excluded.after_id`,
      ),
    ),
  ]);
}
