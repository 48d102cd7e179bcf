import {
  abortAllDurableObjects,
  createExecutionContext,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { app } from "../../src/app.ts";
import { verifyRequest } from "../../src/platform/http/message-signatures.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { nudgeAgents } from "../../src/ucp/order-webhook.ts";
import { forget, script, sent } from "../payments/support/stand-in.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { call } from "../support/call.ts";
import { aShippingMethod, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct } from "../support/shop.ts";
import { aBuyer, DESTINATION, deliveredTo, linesOf, paidBy } from "../ucp/agent.ts";
import { isVerifiedByLibrary } from "./library.ts";
import { anAgent, signed } from "./support.ts";

beforeAll(async () => {
  await settleShop({ agentAccess: "signed" });
  await aShippingMethod({ name: "Post", price: 500 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock. Nothing in these tests waits for it. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

type Told = { agent: { url: string } };

const objectOf = ({ agent }: Told) => env.WEBHOOK_ENDPOINT.getByName(agent.url);

/** Lets the schedule find changed orders, and delivers what is due to an agent. */
async function tell(told: Told): Promise<void> {
  await nudgeAgents(env, Date.now());
  await runInDurableObject(objectOf(told), (endpoint) => endpoint.alarm());
}

/** All that an agent's object stores. */
const storedFor = (told: Told) =>
  runInDurableObject(objectOf(told), (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('state', 'deliveries', 'attempts')")
      .toArray()
      .flatMap(({ name }) => storage.sql.exec(`SELECT * FROM ${name}`).toArray()),
  );

const CAPABILITIES = ["cart", "checkout", "order", "fulfillment", "discount", "buyer_consent"];

async function send(request: Request) {
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...TEST_CARD } as Env, context);
  await waitOnExecutionContext(context);
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

/** An agent that placed an order, with the address of its webhook. */
async function anOrderOfAgent(
  webhook = `${env.STRIPE_API_URL}/receive/${crypto.randomUUID()}`,
  version = "2026-04-08",
) {
  const agent = await anAgent();
  const capabilities = Object.fromEntries(
    CAPABILITIES.map((name) => [
      `dev.ucp.shopping.${name}`,
      [{ version, ...(name === "order" && { config: { webhook_url: webhook } }) }],
    ]),
  );
  await forget(`GET /agents/${agent.url.slice(-36)}`);
  await agent.publish({
    body: {
      ucp: { version, capabilities },
      ...(version === "2026-04-08" ? { signing_keys: [agent.key.publicJwk] } : { keys: [agent.key.publicJwk] }),
    },
  });
  const request = (method: string, path: string, body?: object, how?: Parameters<typeof signed>[2]) =>
    signed(agent, { method, path: `/ucp/v1${path}`, ...(body && { body: JSON.stringify(body) }) }, how);
  const ask = async (...message: Parameters<typeof request>) => send(await request(...message));
  const product = await aProduct({ stock: 10 });
  const place = async (): Promise<string> => {
    const content = { line_items: linesOf(product, 2), buyer: aBuyer(), fulfillment: deliveredTo() };
    const session = await ask("POST", "/checkout-sessions", content);
    return (await ask("POST", `/checkout-sessions/${session.body.id}/complete`, paidBy())).body.order.id;
  };
  const order = await place();
  const received = async () =>
    (await sent(webhook.split("/").at(-1) ?? "", "POST /receive/")).map((request) => request);
  return { agent, product, request, ask, place, order, webhook, received };
}

it("notifies an agent of its order and of each change, signed with the shop's published key", async () => {
  const { agent, order, ask, webhook, received } = await anOrderOfAgent();
  await tell({ agent });
  await tell({ agent });
  const [first, ...more] = await received();
  expect(more).toEqual([]);
  const told = JSON.parse(String(first?.body));
  const { ucp, ...members } = (await ask("GET", `/orders/${order}`)).body;
  expect(told).toMatchObject({ ...members, ucp: { version: "2026-04-08" } });
  expect(Object.keys(told.ucp.capabilities)).toContain("dev.ucp.shopping.order");
  const headers = new Headers(Object.entries(first?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  const request = new Request(webhook, { method: "POST", headers, body: String(first?.body) });
  const { signing_keys } = (await call("GET /.well-known/ucp")).body;
  await verifyRequest(request, await request.clone().arrayBuffer(), signing_keys);
  expect(await isVerifiedByLibrary(request, signing_keys)).toBe(true);
  request.headers.set("Webhook-Timestamp", "1");
  expect(await isVerifiedByLibrary(request, signing_keys)).toBe(false);
  expect(headers.get("UCP-Agent")).toBe('profile="https://shop.test/.well-known/ucp"');
  expect(headers.get("Webhook-Id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(headers.get("Signature-Input")).toContain('"webhook-id"');

  const as = await asAdministrator();
  const row = await env.DB.prepare("SELECT id FROM orders WHERE reference = ?").bind(order).first<{ id: number }>();
  await call(`POST /admin/orders/${row?.id}/shipments`, { as, body: { carrier: "Coach" } });
  await tell({ agent });
  const [, shipped] = await received();
  expect(JSON.parse(String(shipped?.body)).fulfillment.events).toMatchObject([{ type: "shipped", carrier: "Coach" }]);
  expect(shipped?.headers["webhook-id"]).not.toBe(first?.headers["webhook-id"]);
});

it("writes an order in the version of its agent, which publishes its keys as keys", async () => {
  const placed = await anOrderOfAgent(undefined, "2026-08-25");
  await tell(placed);
  const [told] = await placed.received();
  expect(JSON.parse(String(told?.body)).ucp.version).toBe("2026-08-25");
  expect(Number(told?.headers["webhook-timestamp"])).toBeGreaterThan(1_700_000_000);
});

it("retries after a failure with the same id, and never after 410", async () => {
  const placed = await anOrderOfAgent();
  const about = placed.webhook.split("/").at(-1) ?? "";
  await script({ line: `POST /receive/${about}`, about, status: 503 });
  await tell(placed);
  await tell(placed);
  expect(await placed.received()).toHaveLength(1);
  later(10_000);
  await tell(placed);
  const [failed, succeeded, ...more] = await placed.received();
  expect(more).toEqual([]);
  expect(succeeded?.headers["webhook-id"]).toBe(failed?.headers["webhook-id"]);

  const gone = await anOrderOfAgent();
  const name = gone.webhook.split("/").at(-1) ?? "";
  await script({ line: `POST /receive/${name}`, about: name, status: 410 });
  await tell(gone);
  later(10_000);
  await tell(gone);
  expect(await gone.received()).toHaveLength(1);
});

it("stores attempts without the buyer's data, even if the agent repeats it", async () => {
  const placed = await anOrderOfAgent();
  const about = placed.webhook.split("/").at(-1) ?? "";
  await script({ line: `POST /receive/${about}`, about, status: 503, body: DESTINATION });
  await tell(placed);
  const [request] = await placed.received();
  const stored = await storedFor(placed);
  expect(stored).toContainEqual(expect.objectContaining({ status: 503, error: "Answered 503", answer: null }));
  expect(request?.body).toContain(DESTINATION.street_address);
  expect(JSON.stringify(stored)).not.toContain(DESTINATION.street_address);
});

it("forgets an agent that failed for five days, and notifies it of its next order", async () => {
  const placed = await anOrderOfAgent();
  const about = placed.webhook.split("/").at(-1) ?? "";
  await script({ line: `POST /receive/${about}`, about, status: 503, times: 1_000 });
  for (let hours = 0; hours < 5 * 24; hours += 4) {
    await tell(placed);
    later(4 * 3_600_000);
  }
  later(86_400_000);
  await tell(placed);
  const attempts = (await placed.received()).length;
  expect(await storedFor(placed)).toEqual([]);
  await forget(`POST /receive/${about}`);
  await tell(placed);
  expect(await placed.received()).toHaveLength(attempts);
  await placed.place();
  await tell(placed);
  expect(await placed.received()).toHaveLength(attempts + 1);
});

/** Gives an order's session to forty agents of other hosts, whose webhooks hang. */
async function fortyThatHang({ order, webhook }: Awaited<ReturnType<typeof anOrderOfAgent>>): Promise<void> {
  const line = `POST /receive/${webhook.split("/").at(-1)}`;
  await script({ line, about: "", status: 200, hangs: true, times: 1_000 });
  await env.DB.prepare(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40)
    INSERT INTO checkout_sessions (token, reference, kind, status, agent, content, order_id, webhook_url, expires_at, created_at, updated_at)
    SELECT token || n, reference || n, kind, status, 'https://agent-' || n || '.example/profile', content, order_id, webhook_url,
      expires_at, created_at, updated_at FROM numbers JOIN checkout_sessions ON reference = ?`)
    .bind(order)
    .run();
  await env.DB.prepare("UPDATE checkout_sessions SET webhook_url = NULL WHERE reference = ?").bind(order).run();
}

it("notifies an agent in the same minute in which the webhooks of forty others hang", async () => {
  await fortyThatHang(await anOrderOfAgent());
  const { received } = await anOrderOfAgent();
  void everyMinute(env, Date.now());
  await vi.waitFor(async () => expect(await received()).toHaveLength(1), { timeout: 10_000 });
  await abortAllDurableObjects();
});

it("notifies no other host than the profile's", async () => {
  const { order } = await anOrderOfAgent("https://a.to-10-0-0-1.example/orders");
  const session = await env.DB.prepare("SELECT status, webhook_url FROM checkout_sessions WHERE reference = ?")
    .bind(order)
    .first();
  expect(session).toEqual({ status: "placed", webhook_url: null });
});

it("notifies no agent that the shop no longer answers", async () => {
  const { agent, received, ask, order } = await anOrderOfAgent();
  await settleShop({ agentAccess: "listed", agentHosts: ["agent.example"] });
  await tell({ agent });
  await settleShop({ agentAccess: "signed" });
  await tell({ agent });
  expect(await received()).toEqual([]);
  expect((await ask("GET", `/orders/${order}`)).body.id).toBe(order);
});

it("hides an order from agents that did not place it, and from those that only claim its agent's name", async () => {
  const { order, agent, ask } = await anOrderOfAgent();
  expect((await ask("GET", `/orders/${order}`)).body.id).toBe(order);
  const other = await anOrderOfAgent();
  expect((await other.ask("GET", `/orders/${order}`)).body.messages[0].code).toBe("not_found");
  await settleShop({ agentAccess: "open" });
  const claimed = await call(`GET https://shop.test/ucp/v1/orders/${order}`, {
    headers: { "UCP-Agent": `profile="${agent.url}"` },
  });
  expect(claimed.body.messages[0].code).toBe("not_found");
  await settleShop({ agentAccess: "signed" });
});

it("ignores a captured request that is replayed", async () => {
  const { request, ask, product } = await anOrderOfAgent();
  const content = { line_items: linesOf(product), buyer: aBuyer(), fulfillment: deliveredTo() };
  const captured = await request("POST", "/checkout-sessions", content);
  const [first, replayed] = [await send(captured.clone()), await send(captured.clone())];
  expect([first.status, replayed.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect(replayed.body).toEqual(first.body);
  const keyless = await ask("POST", "/checkout-sessions", content, { keyless: true });
  expect([keyless.status, keyless.body.messages]).toMatchObject([400, [{ path: "$.idempotency-key" }]]);
});

it("requires an idempotency key for signed writes over MCP", async () => {
  const { agent, product } = await anOrderOfAgent();
  const params = { name: "create_cart", arguments: { cart: { line_items: linesOf(product) } } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { accept: "application/json, text/event-stream" };
  const request = await signed(agent, { path: "/mcp", body, headers }, { keyless: true });
  const text = await (await app.fetch(request, env, createExecutionContext())).text();
  const { error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  expect(error).toMatchObject({ code: -32_602, data: { messages: [{ path: "$.idempotency-key" }] } });
});
