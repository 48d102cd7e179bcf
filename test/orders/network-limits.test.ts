import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { DAY_MS } from "../../src/domain/time.ts";
import { orders, paymentSettings, stockAllocations } from "../../src/platform/db/schema.ts";
import { aShoppingAgent, signed } from "../agents/support.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { anAddress, call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { pay, productNow } from "../support/orders.ts";
import { settleShop } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import { aBuyer, ask, deliveredTo, linesOf, paidBy } from "../ucp/agent.ts";

const ORIGIN = "https://shop.example";
type Product = Awaited<ReturnType<typeof aProduct>>;

let page: { key: string };
let server: { key: string };

beforeAll(async () => {
  [page, server] = [await aKey({ allowedOrigins: [ORIGIN], tier: "premium" }), await aKey({ tier: "premium" })];
});

let guests = 0;
const byTransfer = () => ({
  payment_method: "bank_transfer",
  customer: { email: `guest-${++guests}@shop.test`, name: "Ada" },
});

/** An order from a page in a browser at this address, by a new guest unless `more` names one. */
const order = (product: Product, quantity: number, address: string, more = byTransfer()) =>
  call("POST /orders", {
    as: page.key,
    body: orderOf(product, quantity, more),
    headers: { ...onPurpose(), Origin: ORIGIN, "CF-Connecting-IP": address },
  });

const throughServer = (product: Product, quantity: number, headers: Record<string, string> = {}) =>
  call("POST /orders", {
    as: server.key,
    body: orderOf(product, quantity, byTransfer()),
    headers: { ...onPurpose(), "CF-Connecting-IP": "192.0.2.1", ...headers },
  });

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();

describe("the stock that unpaid orders of guests in one network can reserve", () => {
  it("is twice what one guest can, however many names they invent", async () => {
    const [product, address] = [await aProduct({ stock: 100 }), anAddress()];
    const answers = [];
    for (let n = 0; n < 25; n++) answers.push(await order(product, 3, address));
    expect(statusesOf(answers)).toEqual([...Array(6).fill(201), ...Array(19).fill(400)]);
    expect((await productNow(product.id))?.stockQuantity).toBe(82);
    const refused = await order(product, 3, address);
    expectRefusal(refused, 400, "items.0.quantity");
    expect(refused.body.details).toEqual([{ field: "items.0.quantity", code: "too_many_unpaid_units", limit: 20 }]);
    expect(refused.body.errors["items.0.quantity"][0]).toMatch(
      /guests in your network .* hold 18\. Sign in, or try again/,
    );
    expect((await order(product, 2, address)).status).toBe(201);
    expect((await order(product, 3, anAddress())).status).toBe(201);
  });

  it("is shared by the addresses of an IPv6 /64, also in orders at the same instant", async () => {
    const [product, [site, other]] = [await aProduct({ stock: 20 }), ["2001:db8:77:1", "2001:db8:77:2"]];
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => order(product, 4, `${site}::${n}`)));
    expect(statusesOf(answers)).toEqual([201, 201, 400, 400, 400, 400]);
    expect((await order(product, 4, `${other}::1`)).status).toBe(201);
  });

  it("is told by a quote", async () => {
    const [product, address] = [await aProduct({ stock: 20 }), anAddress()];
    await order(product, 5, address);
    await order(product, 5, address);
    const { items, ...body } = orderOf(product, 1, byTransfer());
    const headers = { Origin: ORIGIN, "CF-Connecting-IP": address };
    const unpriced = { ...body, items: items.map(({ price: _, ...item }) => item) };
    const quoted = await call("POST /checkout/quote", { as: page.key, body: unpriced, headers });
    expect(quoted.body.data.problems).toMatchObject([{ code: "too_many_unpaid_units", limit: 10 }]);
  });

  it("counts shoppers of a server apart by the addresses that it forwards, and not together without one", async () => {
    const product = await aProduct({ stock: 100 });
    const forwarded = { "X-Client-Address": anAddress() };
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await throughServer(product, 6, forwarded));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 400]);
    expect((await throughServer(product, 6, { "X-Client-Address": anAddress() })).status).toBe(201);
    for (let n = 0; n < 5; n++) expect((await throughServer(product, 5)).status).toBe(201);
  });

  it("leaves accounts and staff out", async () => {
    const [product, address] = [await aProduct({ stock: 20 }), anAddress()];
    await order(product, 5, address);
    await order(product, 5, address);
    expectRefusal(await order(product, 1, address), 400, "items.0.quantity");
    const [{ token }, admin] = [await aUser(), await aUser({ role: "admin" })];
    const headers = { ...onPurpose(), "CF-Connecting-IP": address };
    const body = orderOf(product, 1, { payment_method: "bank_transfer" });
    expect((await call("POST /orders", { as: token, body, headers })).status).toBe(201);
    const { items, ...terms } = orderOf(product, 1, byTransfer());
    const byHand = { ...terms, items: items.map(({ price: _, ...item }) => item), paid: false };
    expect((await call("POST /admin/orders", { as: admin.token, body: byHand, headers })).status).toBe(201);
  });

  it("is released, and the network forgotten, when an order is paid, cancelled or expired", async () => {
    const [product, address] = [await aProduct({ stock: 50 }), anAddress()];
    const { id } = (await order(product, 5, address)).body.data;
    const ended = (await order(product, 5, address)).body.data;
    const refused = await order(product, 1, address);
    expectRefusal(refused, 400, "items.0.quantity");
    const isCounted = sql`${stockAllocations.unpaidFrom} IS NOT NULL AND ${stockAllocations.productId} = ${product.id}`;
    expect(await db.$count(stockAllocations, isCounted)).toBe(2);
    await pay(id);
    await call(`POST /account/orders/${ended.id}/cancel`, { as: page.key, headers: { Origin: ORIGIN } });
    const late = (await order(product, 5, address)).body.data;
    await expireOrders(db, Date.now() + 4 * DAY_MS);
    expect(await db.$count(stockAllocations, isCounted)).toBe(0);
    const rows = await db.select().from(orders).where(sql`${orders.id} IN (${id}, ${ended.id}, ${late.id})`);
    expect(rows.map(({ unpaidFrom }) => unpaidFrom)).toEqual([null, null, null]);
    expect(await brokenInvariants()).toEqual({});
  });

  it("counts agents that do not sign by their address, and not those that order for many", async () => {
    await settleShop({ agentAccess: "open" });
    const [product, address, agent] = [await aProduct({ stock: 20 }), anAddress(), await aShoppingAgent()];
    await order(product, 5, address);
    await order(product, 5, address);
    const body = { line_items: linesOf(product), buyer: aBuyer(), fulfillment: deliveredTo() };
    const at = { "CF-Connecting-IP": address };
    const { id } = (await ask("POST /checkout-sessions", { body, headers: at })).body;
    const claimed = await ask(`POST /checkout-sessions/${id}/complete`, { body: paidBy(), headers: at });
    expect(JSON.stringify(claimed.body.messages)).toContain("guests in your network");
    const asSigned = async (path: string, sent: object) => {
      const request = await signed(agent, { path: `/ucp/v1${path}`, body: JSON.stringify(sent) });
      request.headers.set("CF-Connecting-IP", address);
      const context = createExecutionContext();
      const answer = await (await app.fetch(request, { ...env, ...TEST_CARD }, context)).json<Record<string, string>>();
      await waitOnExecutionContext(context);
      return answer;
    };
    const session = await asSigned("/checkout-sessions", { ...body, buyer: aBuyer() });
    expect(await asSigned(`/checkout-sessions/${session.id}/complete`, paidBy())).toMatchObject({
      status: "completed",
    });
  });
});

describe("the time for which an unpaid order holds its stock", () => {
  const heldFor = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / DAY_MS;
  const placedBy = async (as: string, payment_method: string, customer?: object) => {
    const body = orderOf(await aProduct(), 1, { payment_method, ...(customer && { customer }) });
    return (await call("POST /orders", { as, body, headers: onPurpose() })).body.data;
  };

  it("is three days for buyers without a verified address, unless the order ships before payment", async () => {
    await db.delete(paymentSettings);
    const { customer } = byTransfer();
    const [unverified, verified] = [await aUser({ emailVerifiedAt: null }), await aUser()];
    expect(heldFor(await placedBy(server.key, "bank_transfer", customer))).toBe(3);
    expect(heldFor(await placedBy(unverified.token, "bank_transfer"))).toBe(3);
    expect(heldFor(await placedBy(verified.token, "bank_transfer"))).toBe(7);
    expect(heldFor(await placedBy(server.key, "paypal", customer))).toBe(30 / 60 / 24);
    const admin = await aUser({ role: "admin" });
    await call("PUT /admin/payment-settings", { as: admin.token, body: { cash: { offered: true } } });
    expect(heldFor(await placedBy(server.key, "cash", customer))).toBe(7);
  });
});
