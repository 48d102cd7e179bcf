import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct } from "../support/shop.ts";
import { aBuyer, ask, deliveredTo, linesOf, openToAgents, PROFILE, paidBy } from "../ucp/agent.ts";
import { aShoppingAgent, signed } from "./support.ts";

beforeAll(openToAgents);

/** Places an order by two requests, and returns its number. */
async function ordered(send: (path: string, body: object) => Promise<{ id: string; order: { label: string } }>) {
  const [buyer, fulfillment] = [aBuyer(), deliveredTo()];
  const { id } = await send("/checkout-sessions", { line_items: linesOf(await aProduct()), buyer, fulfillment });
  return (await send(`/checkout-sessions/${id}/complete`, paidBy())).order.label;
}

it("tells an agent that only claims its host from one that signs, in the history of orders and in the panel", async () => {
  const [agent, admin] = [await aShoppingAgent(), await anAdministrator()];
  const claimed = await ordered(async (path, body) => (await ask(`POST ${path}`, { body })).body);
  const proven = await ordered(async (path, body) => {
    const [request, context] = [
      await signed(agent, { path: `/ucp/v1${path}`, body: JSON.stringify(body) }),
      createExecutionContext(),
    ];
    const answer = await app.fetch(request, { ...env, ...TEST_CARD }, context);
    await waitOnExecutionContext(context);
    return answer.json();
  });
  const actors = [
    [claimed, `unsigned_agent:${new URL(PROFILE).host}`],
    [proven, `agent:${agent.host}`],
  ] as const;
  for (const [number, actor] of actors) {
    const found = await call(`GET /admin/orders?search=${encodeURIComponent(number)}`, { as: admin.token });
    const [{ id, history }] = found.body.data;
    expect(history[0].actor).toBe(actor);
    expect((await admin.get(`/admin/orders/${id}`)).html).toMatch(new RegExp(`[^_]${actor}`));
  }
});
