import { conflict, notFound, unavailable } from "../../domain/errors.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { PageOf } from "../../platform/db/page.ts";
import { logFault } from "../../platform/http/log.ts";
import { requireUnusedKey } from "../../platform/idempotency/claims.ts";
import { readableTypes } from "../events/public.ts";
import type { DeliveriesQuery, Replay } from "./admin-schemas.ts";
import type { DeliveryRow } from "./delivery/rows.ts";
import { idBefore, insertAction, type WebhookRow } from "./endpoints.ts";
import { typesOf } from "./fields.ts";
import { objectOf } from "./nudge.ts";
import { requireEnabled, requireWebhook, type WebhookContext } from "./write.ts";

/** Event types that the caller may read, and tests, which anyone who can write webhooks may send. */
const readableDeliveries = (caller: WebhookContext["caller"]) => [
  ...new Set([...readableTypes(caller), "webhook.test" as const]),
];

// Reads and actions of an endpoint's Durable Object. If the object is unreachable, the answer is 503.

/** Lists deliveries of the events that the caller may read. Others may have subscribed the endpoint to more. */
export const listDeliveries = (
  { env, caller }: Pick<WebhookContext, "env" | "caller">,
  endpoint: WebhookRow,
  query: DeliveriesQuery,
): Promise<PageOf<DeliveryRow>> => reached(() => objectOf(env, endpoint).deliveries(query, readableDeliveries(caller)));

/** Retries a delivery immediately, or after pending deliveries of its subject. */
export async function retryDelivery(
  context: Pick<WebhookContext, "db" | "env" | "caller">,
  id: number,
  deliveryId: number,
  author: Author,
): Promise<object> {
  const { db, env, caller } = context;
  const endpoint = requireEnabled(await requireWebhook(context, id));
  await requireUnusedKey({ db, author });
  const outcome = await reached(() => objectOf(env, endpoint).retry(deliveryId, readableDeliveries(caller)));
  if (outcome === "missing") throw notFound(`Delivery ${deliveryId}`);
  if (outcome === "waits") {
    throw conflict("delivery_waits", "An earlier delivery about the same resource is pending. This one follows it");
  }
  await insertAction(db, endpoint, author, "retry", { delivery: deliveryId });
  return {};
}

/**
 * Sends the events of a period again, after all pending deliveries. A repeated request starts one replay; another replay must
 * wait until the previous one is finished.
 */
export async function replayEvents(
  context: Pick<WebhookContext, "db" | "env" | "caller">,
  id: number,
  sent: Replay,
  author: Author,
): Promise<object> {
  const { db, env } = context;
  const endpoint = requireEnabled(await requireWebhook(context, id));
  await requireUnusedKey({ db, author });
  const subscribed = typesOf(endpoint.types);
  const types = sent.types === undefined ? subscribed : typesOf(sent.types).filter((type) => subscribed.includes(type));
  const { from, to } = sent;
  const replay = {
    id: nameOf(author),
    types,
    from,
    to,
    afterId: await idBefore(db, from),
    startsAfter: endpoint.startsAfter,
  };
  if (!(await reached(() => objectOf(env, endpoint).replay(endpoint.id, replay)))) {
    throw conflict("replay_pending", "An earlier replay still has pending deliveries. Wait until they have ended");
  }
  await insertAction(db, endpoint, author, "replay", { from: new Date(from), to: new Date(to), types });
  return {};
}

/** Identifies what a request begins. Stable when the request is repeated. */
const nameOf = ({ claim, requestId }: Author): string => (claim ? `${claim.caller} ${claim.key}` : requestId);

async function reached<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    logFault("the object of a webhook does not answer", error);
    throw unavailable();
  }
}
