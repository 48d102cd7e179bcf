import { conflict, notFound, unavailable } from "../../domain/errors.ts";
import type { Author } from "../../platform/auth/caller.ts";
import type { PageOf } from "../../platform/db/page.ts";
import { logFault } from "../../platform/http/log.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { requireUnusedKey } from "../../platform/idempotency/claims.ts";
import { readableTypes } from "../events/public.ts";
import type { DeliveriesQuery, Replay } from "./admin-schemas.ts";
import type { DeliveryRow, EndpointHealth } from "./delivery/rows.ts";
import { idBefore, insertAction, subscribedTypes, type WebhookRow } from "./endpoints.ts";
import { objectOf } from "./nudge.ts";
import { requireEnabled, requireWebhook, type WebhookContext } from "./write.ts";

type ActionContext = Pick<WebhookContext, "env" | "db" | "caller" | "author">;

/** Event types that the caller may read, and tests, which anyone who can write webhooks may send. */
const readableDeliveries = (caller: WebhookContext["caller"]) => [
  ...new Set([...readableTypes(caller), "webhook.test" as const]),
];

// Reads and actions of an endpoint's Durable Object. If the object is unreachable, the answer is 503.

/** Lists deliveries of the events that the caller may read. Others may have subscribed the endpoint to more. */
export async function listWebhookDeliveries(
  { env, caller }: Pick<WebhookContext, "env" | "caller">,
  endpoint: WebhookRow,
  query: DeliveriesQuery,
): Promise<PageOf<DeliveryRow>> {
  const found = await reached(() => objectOf(env, endpoint).deliveries(query, readableDeliveries(caller)));
  return { rows: found.rows, ...pageOf(query, found.totalItems, found.totalIsExact, found.next) };
}

/** Finds a delivery of an event that the caller may read. */
export async function requireDelivery(
  ctx: Pick<WebhookContext, "env" | "caller">,
  endpoint: WebhookRow,
  id: number,
): Promise<DeliveryRow> {
  const { rows } = await listWebhookDeliveries(ctx, endpoint, { page: 1, per_page: 1, after_id: id - 1 });
  const [delivery] = rows;
  if (delivery?.id !== id) throw notFound(`Delivery ${id}`);
  return delivery;
}

type HealthyRow = Pick<WebhookRow, "key" | "enabled" | "pauseReason">;

/** Delivery state of an endpoint. Null if its object is unreachable. */
export const readHealth = (env: Env, endpoint: Pick<WebhookRow, "key">): Promise<EndpointHealth | null> =>
  reached(() => objectOf(env, endpoint).health()).catch(() => null);

/** How many endpoints are asked for their health at once. */
const ASKED_AT_ONCE = 20;

/** Counts the endpoints that fail, or were disabled because they did. */
export async function countFailing(env: Env, endpoints: readonly HealthyRow[]): Promise<number> {
  const asked = endpoints.filter(({ enabled }) => enabled).slice(0, ASKED_AT_ONCE);
  const healths = await Promise.all(asked.map((endpoint) => readHealth(env, endpoint)));
  const paused = endpoints.filter(({ enabled, pauseReason }) => !enabled && pauseReason !== null);
  return paused.length + healths.filter((health) => typeof health?.failingSince === "number").length;
}

/** Retries a delivery immediately, or after pending deliveries of its subject. */
export async function retryWebhookDelivery(
  ctx: ActionContext,
  { id, deliveryId }: { id: number; deliveryId: number },
): Promise<object> {
  const { env, caller } = ctx;
  const endpoint = requireEnabled(await requireWebhook(ctx, id));
  await requireUnusedKey(ctx);
  const outcome = await reached(() => objectOf(env, endpoint).retry(deliveryId, readableDeliveries(caller)));
  if (outcome === "missing") throw notFound(`Delivery ${deliveryId}`);
  if (outcome === "waits") {
    throw conflict("delivery_waits", "An earlier delivery about the same resource is pending. This one follows it");
  }
  await insertAction(ctx, { endpoint, action: "retry", details: { delivery: deliveryId } });
  return {};
}

/**
 * Sends the events of a period again, after all pending deliveries. A repeated request starts one replay; another replay must
 * wait until the previous one is finished.
 */
export async function replayWebhookEvents(
  ctx: ActionContext,
  { id, from, to, types: chosen }: Replay & { id: number },
): Promise<object> {
  const { db, env, author } = ctx;
  const endpoint = requireEnabled(await requireWebhook(ctx, id));
  await requireUnusedKey(ctx);
  const types = subscribedTypes(endpoint, chosen ?? ["*"]);
  const replay = {
    id: replayIdOf(author),
    types,
    from,
    to,
    afterId: await idBefore(db, from),
    startsAfter: endpoint.startsAfter,
  };
  if (!(await reached(() => objectOf(env, endpoint).replay(endpoint.id, replay)))) {
    throw conflict("replay_pending", "An earlier replay still has pending deliveries. Wait until they have ended");
  }
  await insertAction(ctx, { endpoint, action: "replay", details: { from: new Date(from), to: new Date(to), types } });
  return {};
}

/** Identifies the replay that a request starts: the id is the same when the request is repeated. */
const replayIdOf = ({ claim, requestId }: Author): string => (claim ? `${claim.caller} ${claim.key}` : requestId);

async function reached<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    logFault("webhook object unavailable", error);
    throw unavailable();
  }
}
