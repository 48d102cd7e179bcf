import { createHash } from "node:crypto";
import { orderOfSession } from "../checkout/orders/sessions/complete.ts";
import {
  countSessionsToTell,
  findOrdersToTell,
  findSessionOfOrder,
  forgetWebhooks,
  markTold,
} from "../checkout/orders/sessions/sessions.ts";
import { answersHost, findProfile, readAgentRules } from "../integrations/agents/agents.ts";
import type { Endpoint } from "../integrations/webhooks/delivery/loop.ts";
import type { Attempt } from "../integrations/webhooks/delivery/rows.ts";
import { attemptPost, type CheckWebhookAddress } from "../integrations/webhooks/delivery/send.ts";
import type { DeliveryStore } from "../integrations/webhooks/delivery/store.ts";
import { nudge } from "../integrations/webhooks/nudge.ts";
import { connect, type Database, openDatabase } from "../platform/db/client.ts";
import { signedPost } from "../platform/http/message-signatures.ts";
import { readSettings, type Settings } from "../platform/settings/settings.ts";
import { orderMembers } from "./order.ts";
import { negotiate, ucpOf, withoutProfile } from "./protocol.ts";

/** Starts the deliveries to agents whose orders have changed. Each agent has an object of its own, like a webhook. */
export async function nudgeAgents(env: Env, now: number): Promise<void> {
  if (readSettings(env).workerUrl === null) return;
  const changed = await findOrdersToTell(connect(env.DB), now);
  await Promise.all(Array.from(new Set(changed.map(({ agent }) => agent)), (key) => nudge(env, { id: key, key })));
}

/**
 * Finds an agent by the URL of its profile, while the shop answers it. Requires the Worker's own URL, by which the agent
 * finds the signature's key.
 */
export async function findAgentEndpoint(env: Env, agent: string): Promise<Endpoint | undefined> {
  const [db, settings, now] = [await openDatabase(env.DB), readSettings(env), Date.now()];
  const { workerUrl: origin } = settings;
  if (origin === null) return undefined;
  if (!answersHost(await readAgentRules(db), new URL(agent).host)) await forgetWebhooks(db, now, agent);
  if ((await countSessionsToTell(db, now, agent)) === 0) return undefined;
  return {
    enabled: true,
    updatedAt: 0,
    types: ["order.edited"],
    pull: (store) => pullOrders(db, store, agent),
    attempt: ({ body: reference }, check) => sendOrder({ db, settings, origin, check }, { agent, reference }),
    pause: async () => {
      await forgetWebhooks(db, Date.now(), agent);
    },
  };
}

/** Stores a delivery for each changed order. An order may change without an event, so its version takes the event's place. */
async function pullOrders(db: Database, store: DeliveryStore, agent: string): Promise<boolean> {
  const now = Date.now();
  const changed = await findOrdersToTell(db, now, agent);
  store.append(
    changed.map(({ reference, version }) => ({
      eventId: version,
      type: "order.edited",
      subject: reference,
      body: reference,
    })),
    now,
  );
  await markTold(db, changed);
  return changed.length > 0;
}

type SendContext = { db: Database; settings: Settings; origin: string; check: CheckWebhookAddress };

/**
 * Sends the current order. The deliveries store neither the order nor the response, because both may contain the buyer's
 * data.
 */
async function sendOrder(
  { db, settings, origin, check }: SendContext,
  placed: { agent: string; reference: string },
): Promise<Attempt> {
  const session = await findSessionOfOrder({ db }, placed);
  const order = session && (await orderOfSession({ db }, session));
  if (!order || session.webhookUrl === null) throw new Error("The agent is not notified of this order");
  const stored = await findProfile(db, new URL(placed.agent));
  const body = JSON.stringify({
    ucp: ucpOf(stored ? negotiate(stored.profile) : withoutProfile, "order"),
    ...orderMembers({ origin, settings }, order, session),
  });
  const more = {
    "webhook-id": messageId(session.token, order.updatedAt),
    "webhook-timestamp": String(Math.floor(order.updatedAt / 1000)),
  };
  const url = session.webhookUrl;
  const agent = `${origin}/.well-known/ucp`;
  const headersAt = () => signedPost({ url, body, agent, more }, settings.signingKeys);
  return { ...(await attemptPost({ url, body, headersAt }, check)), answer: null };
}

/** A UUID of a message, the same whenever it is sent again. */
function messageId(token: string, version: number): string {
  const digest = createHash("sha256").update(`${token} ${version}`).digest("hex");
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}
