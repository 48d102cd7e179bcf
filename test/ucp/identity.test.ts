import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { addresses, orders, packages } from "../../src/platform/db/schema.ts";
import { aShoppingAgent, signed } from "../agents/support.ts";
import { aConnectedApp, anInstalledApp, postForm } from "../oauth/support.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { anAccount } from "../support/accounts.ts";
import { anAddress, call, ORIGIN } from "../support/call.ts";
import { request, rpc } from "../support/mcp.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { aShippingMethod } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aFile, aKey, aProduct, aUser, db, settings } from "../support/shop.ts";
import { aBuyer, ask, DESTINATION, deliveredTo, linesOf, openToAgents, PROFILE, paidBy } from "./agent.ts";
import { Envelope, UcpCart, UcpCheckout, UcpOrder } from "./shapes.ts";

// Identity linking: agents that act for a shopper with an account.
// https://ucp.dev/2026-08-25/specification/common/identity-linking/

const [CART, CHECKOUT, ORDER] = [
  "dev.ucp.shopping.cart:manage",
  "dev.ucp.shopping.checkout:manage",
  "dev.ucp.shopping.order:read",
] as const;
const ALL = `${CART} ${CHECKOUT} ${ORDER}`;

beforeAll(async () => {
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500 });
});

/** A shopper with money in the wallet, and an agent that acts for them. */
async function aLinkedShopper({ scope = ALL, wallet = 100_000 } = {}) {
  const account = await anAccount({ wallet });
  const app = await aConnectedApp({ account, scope, resource: null });
  const as = { Authorization: `Bearer ${app.token}` };
  const send = (line: string, body?: object) => ask(line, { body, headers: as });
  return { ...app, as, send };
}

const anEntry = async (userId: number, columns: Partial<typeof addresses.$inferInsert> = {}) => {
  const dates = { createdAt: Date.now(), updatedAt: Date.now() };
  const row = { userId, name: "Ada Lovelace", company: "Analytical Ltd", address: "1 Dorset St", city: "London" };
  return (await db
    .insert(addresses)
    .values({ ...row, zip: "W1U 4EG", country: "GB", ...columns, ...dates })
    .returning()
    .get()) as {
    id: number;
  };
};

const callRequest = async (asked: Request) => {
  const bindings = { ...env, ...TEST_CARD, ORDER_URL: "https://shop.example/orders/{reference}" };
  return JSON.parse(await (await app.fetch(asked, bindings, createExecutionContext())).text());
};

const byWallet = paidBy(undefined, "wallet");
const ownOrders = (userId: number) => db.select().from(orders).where(eq(orders.userId, userId)).all();

describe("the shop says", () => {
  it.each([
    ["2026-08-25", "", "specification/common/identity-linking"],
    ["2026-04-08", "/2026-04-08", "specification/identity-linking"],
  ])("in its profile of %s which scopes operations require", async (version, path, page) => {
    const { body } = await call(`GET ${ORIGIN}/.well-known/ucp${path}`);
    const root = `https://ucp.dev/${version}`;
    expect(body.ucp.capabilities["dev.ucp.common.identity_linking"]).toEqual([
      {
        ...{ version, spec: `${root}/${page}`, schema: `${root}/schemas/common/identity_linking.json` },
        config: { scopes: { [ORDER]: { description: { plain: expect.any(String) } } } },
      },
    ]);
  });

  it.each(["/mcp", "/ucp/v1", ""])("at %s whose tokens it takes", async (address) => {
    const { body } = await call(`GET ${ORIGIN}/.well-known/oauth-protected-resource${address}`);
    expect(body).toMatchObject({ resource: ORIGIN + address, authorization_servers: [ORIGIN] });
    expect(body.scopes_supported).toEqual([CART, CHECKOUT, ORDER]);
    const server = (await call(`GET ${ORIGIN}/.well-known/oauth-authorization-server`)).body;
    expect(server.scopes_supported).toEqual(expect.arrayContaining(body.scopes_supported));
  });
});

it("lets an agent order with the shopper's address, wallet and downloads", async () => {
  const { shopper, send } = await aLinkedShopper();
  const [home, work] = [await anEntry(shopper.id), await anEntry(shopper.id, { address: "5 Office Row" })];
  const other = await anEntry((await aUser()).id);
  const [goods, download] = [
    await aProduct({ price: 2_000 }),
    await aProduct({ type: "digital", price: 1_000, fileIds: [(await aFile()).id] }),
  ];
  const line_items = [...linesOf(goods), ...linesOf(download)];
  const created = UcpCheckout.parse((await send("POST /checkout-sessions", { line_items })).body);
  const [method] = created.fulfillment?.methods ?? [];
  expect(method?.destinations?.map(({ id }) => id)).toEqual([`saved_${work.id}`, `saved_${home.id}`]);
  expect([created.status, method?.selected_destination_id]).toEqual(["incomplete", undefined]);

  const path = `/checkout-sessions/${created.id}`;
  const select = (selected_destination_id: string) => ({
    ...{ line_items, fulfillment: { methods: [{ type: "shipping", selected_destination_id }] } },
  });
  const foreign = UcpCheckout.parse((await send(`PUT ${path}`, select(`saved_${other.id}`))).body);
  expect(foreign.messages?.map(({ code }) => code)).toContain("not_found");
  const ready = (await send(`PUT ${path}`, select(`saved_${home.id}`))).body;
  expect(UcpCheckout.parse(ready).status).toBe("ready_for_complete");
  expect(JSON.stringify(ready.ucp.payment_handlers)).toContain('"id":"wallet"');
  const done = UcpCheckout.parse((await send(`POST ${path}/complete`, byWallet)).body);
  expect(done.status).toBe("completed");

  const [order] = await ownOrders(shopper.id);
  expect(order).toMatchObject({
    paymentMethod: "wallet",
    paymentStatus: "paid",
    total: 3_500,
    customerEmail: shopper.email,
  });
  expect(order?.shippingAddress).toMatchObject({
    address: "1 Dorset St",
    company: "Analytical Ltd",
    name: "Ada Lovelace",
  });
  expect(await db.$count(packages, and(eq(packages.userId, shopper.id), eq(packages.orderId, order?.id ?? 0)))).toBe(1);
  expect(UcpOrder.parse((await send(`GET /orders/${done.order?.id}`)).body).label).toBe(done.order?.label);
});

it("refuses more than the wallet holds, and charges nothing", async () => {
  const { shopper, send } = await aLinkedShopper({ wallet: 100 });
  const body = {
    line_items: linesOf(await aProduct({ price: 2_000 })),
    fulfillment: deliveredTo({ ...DESTINATION, first_name: "Ada" }),
  };
  const { id } = (await send("POST /checkout-sessions", body)).body;
  const refused = UcpCheckout.parse((await send(`POST /checkout-sessions/${id}/complete`, byWallet)).body);
  expect([refused.status, refused.messages?.map(({ code }) => code)]).toEqual(["incomplete", ["insufficient_funds"]]);
  expect(await ownOrders(shopper.id)).toEqual([]);
});

it("lets a shopper finish on the page, which asks for no name and offers no wallet", async () => {
  const { shopper, send } = await aLinkedShopper();
  const fulfillment = deliveredTo({ ...DESTINATION, first_name: "Ada" });
  const body = { line_items: linesOf(await aProduct({ price: 2_000 })), fulfillment };
  const { continue_url } = (await send("POST /checkout-sessions", body)).body;
  const { pathname, search } = new URL(continue_url);
  const visitor = aVisitor();
  const shown = await visitor.get(pathname + search);
  expect(shown.html).not.toContain("customer.email");
  expect(shown.html).not.toContain("wallet");
  const sent = { ...fieldsOf(shown, pathname), payment_method: "bank_transfer" };
  expect((await visitor.post(pathname, sent)).status).toBe(303);
  expect(await ownOrders(shopper.id)).toMatchObject([
    { customerEmail: shopper.email, apiKeyId: null, status: "pending" },
  ]);
});

it("accepts only methods of guests on the page, because an agent could send the form for the shopper", async () => {
  const as = await asAdministrator();
  const offer = (guests: boolean) =>
    call("PUT /admin/payment-settings", { as, body: { invoice: { offered: true, guests } } });
  await offer(false);
  const { shopper, send } = await aLinkedShopper();
  const fulfillment = deliveredTo({ ...DESTINATION, first_name: "Ada" });
  const body = { line_items: linesOf(await aProduct({ price: 2_000 })), fulfillment };
  const { continue_url } = (await send("POST /checkout-sessions", body)).body;
  const { pathname, search } = new URL(continue_url);
  const visitor = aVisitor();
  const sent = { ...fieldsOf(await visitor.get(pathname + search), pathname), payment_method: "invoice" };
  const refused = await visitor.post(pathname, sent);
  expect([refused.status, refused.html.includes("invoice is not offered")]).toEqual([400, true]);
  expect(await ownOrders(shopper.id)).toEqual([]);
  await offer(true);
  expect((await visitor.post(pathname, sent)).status).toBe(303);
});

it("knows an agent that signs, and gives its shopper a page of the shop for the order", async () => {
  const { as, shopper } = await aLinkedShopper();
  const agent = await aShoppingAgent();
  const post = async (path: string, body: object) =>
    callRequest(
      await signed(agent, {
        path: `/ucp/v1${path}`,
        body: JSON.stringify(body),
        headers: { authorization: as.Authorization },
      }),
    );
  const fulfillment = deliveredTo({ ...DESTINATION, first_name: "Ada" });
  const { id } = await post("/checkout-sessions", { line_items: linesOf(await aProduct()), fulfillment });
  const { order } = await post(`/checkout-sessions/${id}/complete`, byWallet);
  const [{ reference } = { reference: "" }] = await ownOrders(shopper.id);
  expect(order).toEqual({
    id: reference,
    label: expect.any(String),
    permalink_url: `https://shop.example/orders/${reference}`,
  });
  const refused = await callRequest(await signed(agent, { method: "GET", path: `/ucp/v1/orders/${reference}` }));
  expect(refused.messages).toMatchObject([{ code: "identity_required" }]);
});

it.each([
  ["another platform", "https://other.example/client.json", 401],
  ["its own client", "its own", 200],
  ["a client that the shop registered", "app_1", 200],
])("takes the token of %s from an agent that signs", async (_, client, expected) => {
  const [user, agent] = [await aUser(), await aShoppingAgent()];
  const clientId = client === "its own" ? `https://${agent.host}/client.json` : client;
  const claims = { userId: user.id, sessionId: user.sessionId, authenticatedAt: Date.now() };
  const grant = { resource: "/mcp" as const, scopes: [CHECKOUT], clientId };
  const { token } = await signAccessToken(settings, claims, Date.now(), Number.POSITIVE_INFINITY, grant);
  const message = { method: "GET", path: "/ucp/v1/checkout-sessions/x", headers: { authorization: `Bearer ${token}` } };
  const { status, headers } = await app.fetch(await signed(agent, message), env, createExecutionContext());
  expect(status).toBe(expected);
  expect(headers.get("WWW-Authenticate") ?? "").toContain(expected === 401 ? 'error="invalid_token"' : "");
});

it("offers guests no wallet", async () => {
  const body = { line_items: linesOf(await aProduct()), buyer: aBuyer(), fulfillment: deliveredTo() };
  const session = (await ask("POST /checkout-sessions", { body })).body;
  expect(JSON.stringify(session.ucp.payment_handlers)).not.toContain("wallet");
  const refused = (await ask(`POST /checkout-sessions/${session.id}/complete`, { body: byWallet })).body;
  expect([refused.order, refused.messages]).toMatchObject([
    undefined,
    expect.arrayContaining([
      expect.objectContaining({ code: "method_not_offered", path: "$.payment.instruments[0].handler_id" }),
    ]),
  ]);
});

describe("a shopper's sessions", () => {
  const paths = async () => {
    const { send, ...mine } = await aLinkedShopper();
    const line_items = linesOf(await aProduct());
    const cart = UcpCart.parse((await send("POST /carts", { line_items })).body);
    const open = UcpCheckout.parse((await send("POST /checkout-sessions", { line_items })).body);
    const fulfillment = deliveredTo({ ...DESTINATION, first_name: "Ada" });
    const bought = (await send("POST /checkout-sessions", { line_items, fulfillment })).body;
    const placed = UcpCheckout.parse((await send(`POST /checkout-sessions/${bought.id}/complete`, byWallet)).body);
    expect(placed.status).toBe("completed");
    return {
      ...mine,
      lines: [
        [`GET /carts/${cart.id}`, CART],
        [`POST /carts/${cart.id}/cancel`, CART],
        [`GET /checkout-sessions/${open.id}`, CHECKOUT],
        [`POST /checkout-sessions/${open.id}/complete`, CHECKOUT],
        [`POST /checkout-sessions/${open.id}/cancel`, CHECKOUT],
        [`GET /orders/${placed.order?.id}`, ORDER],
      ] as const,
    };
  };

  it("are not found for another shopper, even by the same agent", async () => {
    const { lines } = await paths();
    const other = await aLinkedShopper();
    for (const [line] of lines) {
      const { status, body } = await other.send(line, line.startsWith("POST") ? byWallet : undefined);
      expect([line, status, body.messages]).toMatchObject([line, 200, [{ code: "not_found" }]]);
    }
  });

  it("need the shopper's token, and the challenge says where to get one", async () => {
    const { lines } = await paths();
    for (const [line, scope] of lines) {
      const { status, body, headers } = await ask(line, line.startsWith("POST") ? { body: byWallet } : {});
      expect([line, status, Envelope.parse(body).messages]).toMatchObject([line, 401, [{ code: "identity_required" }]]);
      expect(headers.get("WWW-Authenticate")).toBe(
        `Bearer realm="${ORIGIN}", scope="${scope}", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/ucp/v1"`,
      );
    }
  });

  it("need the scope of the operation", async () => {
    const { lines, shopper } = await paths();
    for (const [line, scope] of lines) {
      const others = ALL.split(" ")
        .filter((name) => name !== scope)
        .join(" ");
      const { token } = await aConnectedApp({ account: shopper, scope: others, resource: null });
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await ask(line, { headers, ...(line.startsWith("POST") && { body: byWallet }) });
      expect([line, answer.status]).toEqual([line, 403]);
      expect(Envelope.parse(answer.body).messages).toMatchObject([{ code: "insufficient_scope" }]);
      expect(answer.headers.get("WWW-Authenticate")).toContain(
        `realm="${ORIGIN}", error="insufficient_scope", scope="${scope}"`,
      );
    }
  });

  it("end with the connection, at the next request", async () => {
    const { lines, as, clientId, refreshToken } = await paths();
    expect((await postForm("/oauth/revoke", { client_id: clientId, token: refreshToken })).status).toBe(200);
    for (const [line] of lines) {
      const { status, body, headers } = await ask(line, {
        headers: as,
        ...(line.startsWith("POST") && { body: byWallet }),
      });
      expect([line, status, body.messages]).toMatchObject([line, 401, [{ code: "identity_required" }]]);
      expect(headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
    }
  });
});

it("answers a repeated request of one shopper to nobody else", async () => {
  const [mine, other] = [await aLinkedShopper(), await aLinkedShopper()];
  const body = { line_items: linesOf(await aProduct()) };
  const keyed = { "Idempotency-Key": crypto.randomUUID(), "CF-Connecting-IP": anAddress() };
  const create = (as: Record<string, string>) => ask("POST /carts", { body, headers: { ...keyed, ...as } });
  const first = (await create(mine.as)).body.id;
  expect((await create(mine.as)).body.id).toBe(first);
  expect((await create(other.as)).body.id).not.toBe(first);
  expect((await create({})).body.id).not.toBe(first);
});

it("gives a guest's session to the shopper who connects meanwhile", async () => {
  const line_items = linesOf(await aProduct());
  const { id } = (await ask("POST /checkout-sessions", { body: { line_items } })).body;
  const { shopper, send } = await aLinkedShopper();
  const fulfillment = deliveredTo({ ...DESTINATION, first_name: "Ada" });
  expect((await send(`PUT /checkout-sessions/${id}`, { line_items, fulfillment })).body.status).toBe(
    "ready_for_complete",
  );
  expect((await ask(`GET /checkout-sessions/${id}`)).status).toBe(401);
  expect((await send(`POST /checkout-sessions/${id}/complete`, byWallet)).body.status).toBe("completed");
  expect(await ownOrders(shopper.id)).toHaveLength(1);
});

const METADATA = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource`;

describe.each([
  ["/ucp/v1", async (as: string) => ask("POST /carts", { body: {}, headers: { Authorization: as } })],
  [
    "/mcp",
    async (as: string) =>
      rpc(
        "/mcp",
        undefined,
        request("tools/call", {
          name: "get_cart",
          arguments: { id: "x", meta: { "ucp-agent": { profile: PROFILE } } },
        }),
        { Authorization: as },
      ),
  ],
])("%s refuses", (address, send) => {
  it.each<[string, () => Promise<string>]>([
    ["a token that nobody signed", async () => "Bearer eyJhbGciOiJub25lIn0.e30."],
    ["another scheme", async () => "Basic YTpi"],
    ["an API key", async () => `Bearer ${(await aKey({ permissions: ["read", "write"] })).key}`],
    ["a shopper's own session", async () => `Bearer ${(await aUser()).token}`],
    ["an administrator's own session", async () => `Bearer ${(await aUser({ role: "admin" })).token}`],
    ["an app's token for the API", async () => `Bearer ${(await aConnectedApp()).token}`],
    [
      "an installation's token",
      async () => `Bearer ${(await anInstalledApp({ resource: "/mcp/admin", scope: "read" })).token}`,
    ],
  ])("%s", async (_, credential) => {
    const { status, headers } = await send(await credential());
    expect(status).toBe(401);
    expect(headers.get("WWW-Authenticate")).toBe(
      `Bearer realm="${ORIGIN}", error="invalid_token", ${METADATA}${address}"`,
    );
  });
});

it("asks a client of MCP to sign the shopper in where an operation needs it, by status and header", async () => {
  const { as, send } = await aLinkedShopper();
  const { id } = (await send("POST /carts", { line_items: linesOf(await aProduct()) })).body;
  const meta = { "ucp-agent": { profile: PROFILE } };
  const read = (headers = {}) =>
    rpc("/mcp", undefined, request("tools/call", { name: "get_cart", arguments: { id, meta } }), headers);
  const refused = await read();
  expect([refused.status, refused.body.error]).toMatchObject([
    401,
    { code: -32_000, data: { messages: [{ code: "identity_required" }] } },
  ]);
  expect(refused.headers.get("WWW-Authenticate")).toBe(`Bearer realm="${ORIGIN}", scope="${CART}", ${METADATA}/mcp"`);
  const shown = await read(as);
  expect([shown.status, shown.body.result.structuredContent.id]).toEqual([200, id]);
});
