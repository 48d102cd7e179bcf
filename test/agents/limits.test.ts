import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { app } from "../../src/app.ts";
import { takeAttempts } from "../../src/platform/rate-limit/counting.ts";
import { policies } from "../../src/platform/rate-limit/policies.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { anAddress, call, callWith, ORIGIN } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { settleShop } from "../support/pricing.ts";
import { aProduct } from "../support/shop.ts";
import { AS_AGENT, aBuyer, ask, deliveredTo, linesOf, openToAgents, PROFILE, paidBy } from "../ucp/agent.ts";
import { anAgent, aShoppingAgent, signed } from "./support.ts";

const { limit } = policies.anonymous;

beforeAll(() => settleShop({ agentAccess: "open" }));

/** Requests of which the last is over the limit of an address for license keys, the highest of a route's own. */
const OVER_OWN_LIMIT = policies["license-keys"].limit + 1;

/**
 * Expects that requests count to their address, which has one left in this minute. The next is refused, or at a route with
 * a limit of its own, a later one.
 */
async function expectCounted(line: string, asked: { body?: unknown; headers?: Record<string, string> } = {}) {
  const address = anAddress();
  await takeAttempts(env, "anonymous", { address }, limit - 1);
  const headers = { "CF-Connecting-IP": address, ...asked.headers };
  const send = async () => (await callWith({ PUBLIC_CATALOG: "true" }, line, { ...asked, headers })).status;
  expect(await send()).not.toBe(429);
  let status = 0;
  for (let sent = 1; sent < OVER_OWN_LIMIT && status !== 429; sent++) status = await send();
  expect(status).toBe(429);
}

const UCP = `${ORIGIN}/ucp/v1`;

const agentRoutes = [
  `GET ${ORIGIN}/.well-known/ucp`,
  ...["search", "lookup", "product"].map((name) => `POST ${UCP}/catalog/${name}`),
  ...["carts", "checkout-sessions"].flatMap((name) => [
    `POST ${UCP}/${name}`,
    `GET ${UCP}/${name}/x`,
    `PUT ${UCP}/${name}/x`,
    `POST ${UCP}/${name}/x/cancel`,
  ]),
  `POST ${UCP}/checkout-sessions/x/complete`,
  `GET ${UCP}/orders/x`,
  `GET ${UCP}/nothing`,
  `POST ${ORIGIN}/mcp`,
];

const bodyOf = (line: string) => (line.startsWith("GET") ? {} : { body: "{" });

describe("an address that sends many malformed requests is refused", () => {
  it.each(agentRoutes)("at %s", async (line) => {
    await expectCounted(line, { ...bodyOf(line), headers: AS_AGENT });
  });

  it.each(agentRoutes)("at %s with a signature of no agent", async (line) => {
    await expectCounted(line, { ...bodyOf(line), headers: { "Signature-Input": "sig1=()" } });
  });

  it.each(["https://10.0.0.1/profile.json", "http://agent.example.com/", "nothing"])(
    "with the profile %s",
    async (profile) => {
      const headers = { "UCP-Agent": `profile="${profile}"` };
      await expectCounted(`GET ${UCP}/orders/x`, { headers });
      await expectCounted(`GET ${UCP}/orders/x`, { headers: { ...headers, "Signature-Input": "sig1=()" } });
    },
  );

  it.each([
    { name: "steal_catalog", arguments: {} },
    { name: "search_catalog", arguments: { meta: "wrong" } },
    { name: "search_catalog", arguments: { meta: { "ucp-agent": { profile: 7 } } } },
    { name: 7 },
  ])("with the MCP call %j", async (params) => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const headers = { Accept: "application/json, text/event-stream" };
    await expectCounted(`POST ${ORIGIN}/mcp`, { body, headers });
    await expectCounted(`POST ${ORIGIN}/mcp`, { body, headers: { ...headers, "Signature-Input": "x" } });
  });
});

const anonymous = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { security }]: [string, { security?: object[] }]) =>
    security?.some((schemes) => Object.keys(schemes).length === 0)
      ? [`${method.toUpperCase()} ${ORIGIN}${path.replace("{id}", "0")}`]
      : [],
  ),
);

it.each(anonymous)("an address that sends many requests without a credential is refused at %s", async (line) => {
  await expectCounted(line, bodyOf(line));
});

it("an agent that signs is not limited like an anonymous address, and invalid input counts as its own", async () => {
  const agent = await anAgent();
  const address = anAddress();
  const ask = async () => {
    const request = await signed(agent, { path: "/ucp/v1/carts", body: "{" });
    request.headers.set("CF-Connecting-IP", address);
    return (await exports.default.fetch(request)).status;
  };
  const statuses = new Set<number>();
  for (let sent = 0; sent <= limit; sent += 25)
    for (const status of await Promise.all(Array.from({ length: 25 }, ask))) statuses.add(status);
  expect([...statuses]).toEqual([400]);
});

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
