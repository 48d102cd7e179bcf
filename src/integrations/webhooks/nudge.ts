import { connect } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { findToNudge, type WebhookRow } from "./endpoints.ts";

type EndpointRef = Pick<WebhookRow, "id" | "key">;

export const objectOf = (env: Env, { key }: Pick<WebhookRow, "key">) => env.WEBHOOK_ENDPOINT.getByName(key);

const callObject = (env: Env, endpoint: EndpointRef): Promise<void> => objectOf(env, endpoint).nudge(endpoint.id);

/** Signals possible work to an endpoint's object. A lost call delays it by a minute at most. */
export async function nudge(env: Env, endpoint: EndpointRef): Promise<void> {
  try {
    await callObject(env, endpoint);
  } catch (error) {
    logFault("an endpoint of a webhook was not nudged: the schedule does it within a minute", error);
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

/** Nudges all endpoints unconditionally. */
export function nudgeAll(env: Env, now: number): Promise<void> {
  const db = connect(env.DB);
  return workOff(db, now, {
    queue: "nudge_webhooks",
    find: () => findToNudge(db, now),
    idOf: ({ id }) => id,
    run: (endpoint) => callObject(env, endpoint),
    together: true,
  });
}
