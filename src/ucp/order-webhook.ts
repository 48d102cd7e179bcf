import { createHash } from "node:crypto";
import { orderOfSession } from "../checkout/orders/sessions/complete.ts";
import {
  type CheckoutSessionRow,
  findSessionsToTell,
  forgetWebhook,
  markSessionTold,
} from "../checkout/orders/sessions/sessions.ts";
import { answersHost, readAgentRules } from "../integrations/agents/agents.ts";
import { attemptPost } from "../integrations/webhooks/delivery/send.ts";
import type { WriteContext } from "../platform/auth/caller.ts";
import { allowsMore } from "../platform/db/client.ts";
import { signedPost } from "../platform/http/message-signatures.ts";
import { refusalOf } from "../platform/http/outbound.ts";
import { workOff } from "../platform/queues/work-off.ts";
import { orderMembers } from "./order.ts";
import { negotiate, ucpOf } from "./protocol.ts";

type Telling = Pick<WriteContext, "db" | "settings">;

/** Maximum duration of a run. The next run continues. */
const RUN_MS = 20_000;

/**
 * Notifies agents of orders that have changed since the last notification, at the URL in their profile. A message
 * contains the current order, so several changes may share one message. Failures are retried later. Requires the
 * Worker's own URL, by which the agent finds the signature's key. Agents that the shop no longer answers are not notified.
 */
export async function tellAgents(ctx: Telling, now: number): Promise<void> {
  const { workerUrl } = ctx.settings;
  if (workerUrl === null) return;
  const rules = await readAgentRules(ctx.db);
  const endsAt = Date.now() + RUN_MS;
  for (let found = 1; found > 0 && Date.now() < endsAt && allowsMore(ctx.db); ) {
    await workOff(ctx.db, now, {
      queue: "tell_agents",
      find: async () => {
        const sessions = await findSessionsToTell(ctx.db, now);
        found = sessions.length;
        return sessions;
      },
      idOf: ({ id }) => id,
      run: (session) =>
        answersHost(rules, new URL(session.agent).host)
          ? tellAgent(ctx, { session, origin: workerUrl })
          : forgetWebhook(ctx.db, session),
      together: true,
    });
  }
}

type Told = { session: CheckoutSessionRow & { webhookUrl: string }; origin: string };

async function tellAgent({ db, settings }: Telling, { session, origin }: Told): Promise<void> {
  const order = await orderOfSession({ db }, session);
  if (!order) return;
  const body = JSON.stringify({
    ucp: ucpOf("order", negotiate(null)),
    ...orderMembers({ origin, settings }, order, session),
  });
  const more = {
    "webhook-id": messageId(session.token, order.updatedAt),
    "webhook-timestamp": String(Math.floor(order.updatedAt / 1000)),
  };
  const url = session.webhookUrl;
  const agent = `${origin}/.well-known/ucp`;
  const headersAt = () => signedPost({ url, body, agent, more }, settings.signingKeys);
  const { status, error } = await attemptPost({ url, body, headersAt }, (address) =>
    refusalOf(address, settings.webhooks),
  );
  if (status === 410) await forgetWebhook(db, session);
  else if (error !== null) throw new Error(error);
  else await markSessionTold(db, session, order.updatedAt);
}

/** A UUID of a message, the same whenever it is sent again. */
function messageId(token: string, version: number): string {
  const digest = createHash("sha256").update(`${token} ${version}`).digest("hex");
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}
