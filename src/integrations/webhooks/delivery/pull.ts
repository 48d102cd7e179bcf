import type { Database } from "../../../platform/db/client.ts";
import { type EventRow, readEvents, toEvent } from "../../events/public.ts";
import { OUT_OF_ORDER_MS, type WebhookRow } from "../queries.ts";
import { typesOf, typesSentTo } from "../types.ts";
import { advanceReplay, nextReplay } from "./replays.ts";
import type { NewDelivery } from "./rows.ts";
import type { DeliveryStore } from "./store.ts";

/** Events that are taken over at once. */
const PAGE = 500;

/** Takes over the next events for an endpoint, then those that it is to get once more. Answers whether there may be more. */
export async function pullEvents(db: Database, store: DeliveryStore, endpoint: WebhookRow): Promise<boolean> {
  const afterId = store.state?.cursor ?? endpoint.startsAfter;
  const types = typesSentTo(endpoint.types);
  const { rows, lastId, more } = await readEvents(db, { afterId, types, scope: endpoint.accountScope, limit: PAGE });
  store.add(rows.filter(isFor(endpoint)).map(toDelivery), lastId, Date.now());
  return more || pullReplay(db, store, endpoint);
}

/** A test is for the endpoint that it was asked for. */
const isFor =
  ({ id }: WebhookRow) =>
  ({ type, subject }: EventRow): boolean =>
    type !== "webhook.test" || subject === `webhook:${id}`;

async function pullReplay(db: Database, store: DeliveryStore, endpoint: WebhookRow): Promise<boolean> {
  const replay = nextReplay(store.sql);
  if (!replay) return false;
  const { from_at, to_at, after_id, until_id, types } = replay;
  const subscribed = typesOf(endpoint.types);
  const { rows, lastId, more } = await readEvents(db, {
    afterId: after_id,
    types: typesOf(JSON.parse(types)).filter((type) => subscribed.includes(type)),
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
