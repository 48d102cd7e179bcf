import { env, exports } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { anAgent, signed } from "../agents/support.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { callWith } from "../support/call.ts";
import { aShippingMethod, settleShop } from "../support/pricing.ts";
import { aProduct } from "../support/shop.ts";
import { AS_AGENT, linesOf, paidBy } from "../ucp/agent.ts";

// Each write that needs no credential is repeated from one network under fresh Idempotency-Keys. What the database grows by
// is counted to the network, which may store a limited number of bytes in a day.

const AT_ONCE = 20;
const REPEATS = 2 * AT_ONCE;

/** Growth of the database for each counted byte, because a row longer than a page takes whole pages, and for all of them. */
const PAGES = 1.3;
const SLACK = 2_000 * REPEATS;

beforeAll(async () => {
  await settleShop({ agentAccess: "open" });
  await aShippingMethod({ name: "Post", price: 500 });
});

const size = async () => (await env.DB.prepare("SELECT 1").run()).meta.size_after;

let networks = 0;

/** An IPv6 network with a /64 for each 50 requests, which is less than an address may send in a minute. */
function aNetwork() {
  const prefix = `2001:db9:${(++networks).toString(16)}`;
  let sent = 0;
  return { prefix, address: () => `${prefix}:${Math.floor(sent++ / 50).toString(16)}::1` };
}

const countedTo = async (owner: string) =>
  (await env.DB.prepare("SELECT sum(bytes) AS bytes FROM stored_bytes WHERE owner = ?").bind(owner).first("bytes")) ??
  0;

const wide = (length: number) => "漢".repeat(length);

const consents = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [wide(38) + (place + 10), true]));

/** The largest session of one product. */
const largest = (product: { id: number }, place: number) => ({
  line_items: linesOf(product),
  buyer: { email: `buyer-${place}@example.test`, first_name: wide(40), last_name: wide(40), consent: consents },
  fulfillment: {
    methods: [
      {
        destinations: [
          {
            street_address: wide(100),
            extended_address: wide(100),
            address_locality: wide(100),
            postal_code: "SW1Y 4JH",
            address_country: "GB",
          },
        ],
      },
    ],
  },
});

type Send = (line: string, body?: unknown) => Promise<{ status: number; body: { id: string } }>;

const scenarios: Record<string, (product: { id: number }, send: Send, place: number) => Promise<unknown>> = {
  "create a cart": (product, send, place) => send("POST /carts", largest(product, place)),
  "create a checkout": (product, send, place) => send("POST /checkout-sessions", largest(product, place)),
  "update and cancel a checkout": async (product, send, place) => {
    const { body } = await send("POST /checkout-sessions", { line_items: linesOf(product) });
    await send(`PUT /checkout-sessions/${body.id}`, largest(product, place));
    await send(`POST /checkout-sessions/${body.id}/cancel`);
    return send(`POST /checkout-sessions/${body.id}/cancel`);
  },
  "order by a checkout": async (product, send, place) => {
    const { body } = await send("POST /checkout-sessions", largest(product, place));
    return send(`POST /checkout-sessions/${body.id}/complete`, paidBy("fail"));
  },
};

it.each(Object.entries(scenarios))(
  "counts what anybody stores who repeats: %s",
  { timeout: 300_000 },
  async (_, act) => {
    const product = await aProduct({ stock: null });
    const { prefix, address } = aNetwork();
    const send: Send = (line, body) => {
      const [method, path] = line.split(" ");
      const headers = {
        ...AS_AGENT,
        "Idempotency-Key": crypto.randomUUID(),
        "CF-Connecting-IP": address(),
      };
      return callWith(TEST_CARD, `${method} https://shop.test/ucp/v1${path}`, { body, headers });
    };
    await act(product, send, 0);
    const before = { size: await size(), counted: await countedTo(`address:${prefix}`) };
    for (let sent = 0; sent < REPEATS; sent += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => act(product, send, sent + place + 1)));
    const counted = Number(await countedTo(`address:${prefix}`)) - Number(before.counted);
    expect(counted).toBeGreaterThan(0);
    expect((await size()) - before.size).toBeLessThan(PAGES * counted + SLACK);
  },
);

it("counts the profiles of agents to their host and address", { timeout: 300_000 }, async () => {
  const agent = await anAgent();
  const before = await countedTo(`agent:${agent.host}`);
  const request = await signed(agent, { path: "/ucp/v1/carts" });
  const network = "2001:db9:ffff";
  request.headers.set("CF-Connecting-IP", `${network}::1`);
  await exports.default.fetch(request);
  expect(Number(await countedTo(`agent:${agent.host}`))).toBeGreaterThan(Number(before) + 200);
  expect(Number(await countedTo(`address:${network}`))).toBeGreaterThan(200);
});

it("refuses a profile that would store more than its agent needs, and more than 20 consents", async () => {
  const keys = Array.from({ length: 100 }, (_, place) => ({ kid: String(place), kty: "RSA", n: "x".repeat(300) }));
  const agent = await anAgent();
  const other = await anAgent({
    body: { ucp: { version: "2026-04-08" }, signing_keys: [agent.key.publicJwk, ...keys] },
  });
  const { status } = await exports.default.fetch(
    await signed({ key: agent.key, url: other.url }, { path: "/ucp/v1/carts" }),
  );
  expect(status).toBe(422);
  const consent = Object.fromEntries(Array.from({ length: 21 }, (_, place) => [`purpose ${place}`, true]));
  const body = { line_items: linesOf(await aProduct()), buyer: { consent } };
  const headers = AS_AGENT;
  const answer = await callWith({}, "POST https://shop.test/ucp/v1/carts", { body, headers });
  expect([answer.status, answer.body.messages[0].path]).toEqual([400, "$.buyer.consent"]);
});

it("refuses an address that stored its limit, and nobody else who claims its agent", async () => {
  const headers = AS_AGENT;
  const today = Math.floor(Date.now() / 86_400_000);
  for (const day of [today, today + 1])
    await env.DB.prepare(
      "INSERT INTO stored_bytes (owner, day, bytes, day_limit) VALUES ('address:192.0.2.77', ?, ?2, ?2)",
    )
      .bind(day, 20_000_000)
      .run();
  const body = { line_items: linesOf(await aProduct()) };
  const from = (address: string) =>
    callWith({}, "POST https://shop.test/ucp/v1/carts", { body, headers: { ...headers, "CF-Connecting-IP": address } });
  expect((await from("192.0.2.77")).status).toBe(429);
  expect((await from("192.0.2.78")).status).toBe(201);
});

it("counts a sign-up to its address", async () => {
  const headers = { "CF-Connecting-IP": "192.0.2.79" };
  const body = { email: "counted@example.test", name: "Ada", password: "correct horse battery" };
  const { status } = await callWith({}, "POST /auth/signup", { body, headers });
  expect(status).toBe(201);
  expect(Number(await countedTo("address:192.0.2.79"))).toBeGreaterThan(4_000);
});
