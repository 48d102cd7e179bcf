import type { EventType } from "../../../domain/event-types.ts";
import type { Database } from "../../../platform/db/client.ts";
import { KEY_LIFETIME_MS } from "../../../platform/idempotency/claims.ts";
import { type EventRow, readEvents, toEvent } from "../../events/public.ts";
import type { DeliveriesQuery } from "../admin-schemas.ts";
import { OUT_OF_ORDER_MS, subscribedTypes, typesSentTo, type WebhookRow } from "../endpoints.ts";
import type { DeliveryRow, NewDelivery, NewReplay, StoredDeliveries } from "./rows.ts";
import type { DeliveryStore, ObjectSql } from "./store.ts";

type Replay = { id: string; types: string; from_at: number; to_at: number; after_id: number; until_id: number };

/** True while a replay is unfinished: unread events or pending deliveries. */
const UNFINISHED = `
  SELECT 1 FROM replays WHERE id <> ?1 AND (done = 0 OR EXISTS (
    SELECT 1 FROM replayed_deliveries JOIN deliveries ON deliveries.id = delivery_id
    WHERE replay_id = replays.id AND delivery_state = 'pending'
  ))`;

/**
 * Starts to send events again, up to the cursor, because later ones are still pending. Returns false if another replay
 * is unfinished. A repeated request starts one replay as long as its Idempotency-Key is stored.
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

/** Returns the oldest unfinished replay. */
const nextReplay = (sql: ObjectSql): Replay | undefined =>
  sql.rows<Replay>(
    "SELECT id, types, from_at, to_at, after_id, until_id FROM replays WHERE done = 0 ORDER BY created_at, id LIMIT 1",
  )[0];

/** Progress of a replay, and the events found in the step. */
type Step = { found: readonly NewDelivery[]; lastId: number; isDone: boolean };

const advanceReplay = (store: DeliveryStore, { id }: Replay, { found, lastId, isDone }: Step, now: number): void =>
  store.sql.atomically(() => {
    for (const deliveryId of store.append(found, now)) {
      store.sql.run("INSERT INTO replayed_deliveries (delivery_id, replay_id) VALUES (?, ?)", deliveryId, id);
    }
    store.sql.run("UPDATE replays SET after_id = ?, done = ? WHERE id = ?", lastId, Number(isDone), id);
  });

/** Totals stop here: nobody reads this many pages. */
const MOST_COUNTED = 10_000;

/** Lists deliveries, replayed or not, newest first. From a cursor, lists oldest first and without a total. */
export function readStoredDeliveries(
  sql: ObjectSql,
  { state, after_id, page, per_page }: DeliveriesQuery,
  types: readonly EventType[],
): StoredDeliveries {
  const byCursor = after_id !== undefined;
  const where = `${state ? "delivery_state = ?1" : "?1 IS NULL"} AND id > ?2 AND type IN (SELECT value FROM json_each(?3))`;
  const values = [state ?? null, after_id ?? 0, JSON.stringify(types)];
  const found = sql
    .rows<Omit<DeliveryRow, "attempts"> & { attempts: string }>(
      `SELECT id, event_id, type, subject, body, delivery_state AS state, due_at, created_at, (
          SELECT json_group_array(json_object('at', at, 'duration_ms', duration_ms, 'status', status, 'error', error,
            'answer', answer)) FROM (SELECT * FROM attempts WHERE delivery_id = deliveries.id ORDER BY id)) AS attempts
        FROM deliveries WHERE ${where} ORDER BY id ${byCursor ? "" : "DESC"} LIMIT ?4 OFFSET ?5`,
      ...values,
      per_page + 1,
      byCursor ? 0 : (page - 1) * per_page,
    )
    .map(({ attempts, ...row }): DeliveryRow => ({ ...row, attempts: JSON.parse(attempts) }));
  const rows = found.slice(0, per_page);
  if (byCursor) {
    const last = found.length > per_page ? rows.at(-1) : undefined;
    return { rows, totalItems: found.length, totalIsExact: !last, next: last ? { after_id: String(last.id) } : null };
  }
  const counted = `SELECT count(*) AS items FROM (SELECT 1 FROM deliveries WHERE ${where} LIMIT ?4)`;
  const items = sql.rows<{ items: number }>(counted, ...values, MOST_COUNTED)[0]?.items ?? 0;
  return { rows, totalItems: items, totalIsExact: items < MOST_COUNTED };
}

/** How many events are read in one step. */
const PAGE = 500;

/** Reads the next events for an endpoint, then those of a replay. Returns whether there may be more. */
export async function pullEvents(db: Database, store: DeliveryStore, endpoint: WebhookRow): Promise<boolean> {
  const afterId = store.state?.cursor ?? endpoint.startsAfter;
  const types = typesSentTo(endpoint.types);
  const { rows, lastId, more } = await readEvents(db, { afterId, types, scope: endpoint.accountScope, limit: PAGE });
  store.add(rows.filter(isFor(endpoint)).map(toDelivery), lastId, Date.now());
  return more || pullReplay(db, store, endpoint);
}

/** A test event is only for the endpoint it was requested for, and the end of an installation for those of the app. */
const isFor =
  ({ id, installationId }: WebhookRow) =>
  ({ type, subject }: EventRow): boolean =>
    (type !== "webhook.test" || subject === `webhook:${id}`) &&
    (type !== "app.uninstalled" || subject === `api_key:${installationId}`);

async function pullReplay(db: Database, store: DeliveryStore, endpoint: WebhookRow): Promise<boolean> {
  const replay = nextReplay(store.sql);
  if (!replay) return false;
  const { from_at, to_at, after_id, until_id, types } = replay;
  const { rows, lastId, more } = await readEvents(db, {
    afterId: after_id,
    types: subscribedTypes(endpoint, JSON.parse(types)),
    scope: endpoint.accountScope,
    limit: PAGE,
  });
  const wanted = rows.filter((row) => row.id <= until_id && row.createdAt >= from_at && row.createdAt < to_at);
  const isDone = !more || lastId >= until_id || rows.some((row) => row.createdAt >= to_at + OUT_OF_ORDER_MS);
  advanceReplay(store, replay, { found: wanted.map(toDelivery), lastId, isDone }, Date.now());
  return true;
}

function toDelivery(row: EventRow): NewDelivery {
  const { id, type, subject, created_at, data } = toEvent(row);
  return { eventId: id, type, subject, body: JSON.stringify({ type, timestamp: created_at, data }) };
}
