import { EVENT_RETENTION_MS } from "../../events/public.ts";
import type { DeliveryStore } from "./store.ts";

/** What is deleted at once of what is old. */
const DELETED_AT_ONCE = 1_000;

/** Deletes deliveries that are as old as events become, with their attempts. */
export function deleteOld(store: DeliveryStore, now: number): void {
  const { sql } = store;
  sql.atomically(() => {
    const deleted = sql.rows<{ id: number; subject: string; state: string }>(
      `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries ORDER BY id LIMIT ${DELETED_AT_ONCE}) AND created_at < ?
        RETURNING id, subject, delivery_state AS state`,
      now - EVENT_RETENTION_MS,
    );
    for (const { id, subject, state } of deleted) {
      sql.run("DELETE FROM attempts WHERE delivery_id = ?", id);
      sql.run("DELETE FROM replayed_deliveries WHERE delivery_id = ?", id);
      if (state === "pending") store.release(subject, now);
    }
    sql.run("DELETE FROM replays WHERE done = 1 AND created_at < ?", now - EVENT_RETENTION_MS);
  });
}
