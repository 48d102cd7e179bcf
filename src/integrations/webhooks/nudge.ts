import { connect } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import type { EndpointId } from "./delivery/rows.ts";
import { findToNudge, type WebhookRow } from "./endpoints.ts";

/** An endpoint and the name of its object. */
type EndpointRef = Pick<WebhookRow, "key"> & { id: EndpointId };

export const objectOf = (env: Env, { key }: Pick<WebhookRow, "key">) => env.WEBHOOK_ENDPOINT.getByName(key);

/** Signals possible work to an endpoint's object. A lost call delays it by a minute at most. */
export async function nudge(env: Env, endpoint: EndpointRef): Promise<void> {
  try {
    await objectOf(env, endpoint).nudge(endpoint.id);
  } catch (error) {
    logFault("webhook endpoint not notified; the schedule delivers within a minute", error);
  }
}

/** How long a shop found without webhooks is assumed to have none. */
const NONE_MS = 10_000;

/** Per isolate: when it last found no endpoints, and the newest event it nudged them for. */
let noneAt = Number.NEGATIVE_INFINITY;
let told = 0;

/** Clears the memory of having no endpoints, after this isolate wrote one. */
export function expectEndpoints(): void {
  noneAt = Number.NEGATIVE_INFINITY;
}

/** Nudges all endpoints if there are events that this isolate has not nudged them for. */
export async function nudgeForNewEvents(env: Env): Promise<void> {
  const now = Date.now();
  if (now - noneAt < NONE_MS) return;
  const endpoints = await findToNudge(connect(env.DB));
  const newest = endpoints[0]?.newestEvent;
  if (newest === undefined) noneAt = now;
  if (newest === undefined || newest === told) return;
  told = newest;
  await Promise.all(endpoints.map((endpoint) => nudge(env, endpoint)));
}

/** Nudges all webhooks, whether there are new events or not. */
export async function nudgeAll(env: Env): Promise<void> {
  const webhooks = await findToNudge(connect(env.DB));
  await Promise.all(webhooks.map((webhook) => nudge(env, webhook)));
}
