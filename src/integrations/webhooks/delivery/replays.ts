import { KEY_LIFETIME_MS } from "../../../platform/idempotency/claim.ts";
import type { ObjectSql } from "./object-sql.ts";
import type { NewDelivery, NewReplay } from "./rows.ts";
import type { DeliveryStore } from "./store.ts";

type Replay = { id: string; types: string; from_at: number; to_at: number; after_id: number; until_id: number };

/** What is still to be sent of another replay: events that were not read yet, or deliveries that are pending. */
const UNFINISHED = `
  SELECT 1 FROM replays WHERE id <> ?1 AND (done = 0 OR EXISTS (
    SELECT 1 FROM replayed_deliveries JOIN deliveries ON deliveries.id = delivery_id
    WHERE replay_id = replays.id AND delivery_state = 'pending'
  ))`;

/**
 * Begins to send events once more, up to the cursor: those behind it are still to come. False says that another replay is
 * unfinished. The same replay begins once, while the Idempotency-Key lives that names it.
 */
export function beginReplay(
  sql: ObjectSql,
  { id, types, from, to, afterId, startsAfter }: NewReplay,
  now: number,
): boolean {
  const hasBegun = sql.rows("SELECT 1 FROM replays WHERE id = ? AND created_at > ?", id, now - KEY_LIFETIME_MS);
  if (hasBegun.length > 0) return true;
  if (sql.rows(UNFINISHED, id).length > 0) return false;
  sql.run("DELETE FROM replays WHERE id = ? AND done = 1 AND created_at <= ?", id, now - KEY_LIFETIME_MS);
  sql.run(
    `INSERT INTO replays (id, types, from_at, to_at, after_id, until_id, created_at)
      SELECT ?, ?, ?, ?, ?, coalesce(cursor, ?), ? FROM state WHERE true ON CONFLICT DO NOTHING`,
    id,
    JSON.stringify(types),
    from,
    to,
    afterId,
    startsAfter,
    now,
  );
  return true;
}

/** The oldest replay that has not ended. */
export const nextReplay = (sql: ObjectSql): Replay | undefined =>
  sql.rows<Replay>(
    "SELECT id, types, from_at, to_at, after_id, until_id FROM replays WHERE done = 0 ORDER BY created_at, id LIMIT 1",
  )[0];

/** How far a replay has come, and what it has found on the way. */
type Step = { found: readonly NewDelivery[]; lastId: number; isDone: boolean };

export const advanceReplay = (
  store: DeliveryStore,
  { id }: Replay,
  { found, lastId, isDone }: Step,
  now: number,
): void =>
  store.sql.atomically(() => {
    for (const deliveryId of store.append(found, now)) {
      store.sql.run("INSERT INTO replayed_deliveries (delivery_id, replay_id) VALUES (?, ?)", deliveryId, id);
    }
    store.sql.run("UPDATE replays SET after_id = ?, done = ? WHERE id = ?", lastId, Number(isDone), id);
  });
