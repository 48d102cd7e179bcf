import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { deleteExpiredSessionsOfAgents } from "../../src/checkout/orders/sessions/sessions.ts";
import { checkoutSessions, orders, products } from "../../src/platform/db/schema.ts";
import { chooseOutcome, TEST_CARD } from "../payments/support/test-card.ts";
import { anAddress, call } from "../support/call.ts";
import { aDiscount, aShippingMethod } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aParent, aProduct, db } from "../support/shop.ts";
import {
  aBuyer,
  aReadySession,
  ask,
  complete,
  DESTINATION,
  deliveredTo,
  linesOf,
  openToAgents,
  PROFILE,
  paidBy,
} from "./agent.ts";
import { Envelope, Refusal, UcpCart, UcpCheckout, UcpOrder } from "./shapes.ts";

// Carts, checkouts and orders of agents.

beforeAll(async () => {
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500 });
  await aShippingMethod({ name: "Express", price: 1500, minDays: 1, maxDays: 2 });
});

const checkout = async (line: string, body?: object, bindings?: Partial<Env>) =>
  UcpCheckout.parse((await ask(line, { body, ...(bindings && { bindings }) })).body);
const messagesOf = ({ messages = [] }: { messages?: { code: string; path?: string | undefined }[] | undefined }) =>
  messages.map(({ code, path }) => [code, path]);
const totalOf = ({ totals }: { totals: { type: string; amount: number }[] }) =>
  totals.find(({ type }) => type === "total")?.amount;
const stockOf = async (id: number) =>
  (await db.select().from(products).where(eq(products.id, id)).get())?.stockQuantity;

it("leads from a cart to an order, step by step", async () => {
  const product = await aProduct({ name: "Satchel", price: 4_000, stock: 10 });
  await aDiscount({ code: "AGENT10", kind: "percentage", percent: 100_000 });
  const created = await ask("POST /carts", { body: { line_items: linesOf(product, 1) } });
  expect(created.status).toBe(201);
  const cart = UcpCart.parse(created.body);
  const cartPath = `/carts/${cart.id}`;
  const context = { address_country: "GB" };
  const changed = await ask(`PUT ${cartPath}`, { body: { line_items: linesOf(product, 2), context } });
  expect(totalOf(UcpCart.parse(changed.body))).toBe(8_500);
  expect(UcpCart.parse((await ask(`GET ${cartPath}`)).body).line_items[0]?.quantity).toBe(2);

  const session = await checkout("POST /checkout-sessions", { cart_id: cart.id, line_items: linesOf(product, 7) });
  expect(session.line_items[0]?.quantity).toBe(2);
  expect(session.status).toBe("incomplete");
  expect(messagesOf(session)).toEqual([
    ["missing", "$.buyer.email"],
    ["missing", "$.buyer.first_name"],
    ["missing", "$.fulfillment.methods[0].destinations"],
  ]);
  expect(await stockOf(product.id)).toBe(10);
  const path = `/checkout-sessions/${session.id}`;
  const buyer = { ...aBuyer(), consent: { marketing: false, analytics: true } };
  const named = await checkout(`PUT ${path}`, { line_items: linesOf(product, 2), buyer });
  expect(named.buyer?.consent).toEqual({ marketing: false, analytics: true });
  const partly = deliveredTo({ ...DESTINATION, postal_code: undefined });
  const unfinished = await checkout(`PUT ${path}`, { line_items: linesOf(product, 2), fulfillment: partly });
  expect(messagesOf(unfinished)).toEqual([["missing", "$.fulfillment.methods[0].destinations[0].postal_code"]]);
  const [group] = unfinished.fulfillment?.methods[0]?.groups ?? [];
  expect(group?.options.map(({ title }) => title)).toEqual(["Post", "Express"]);
  const ready = await checkout(`PUT ${path}`, {
    line_items: linesOf(product, 2),
    fulfillment: deliveredTo(DESTINATION, group?.options[1]?.id),
    discounts: { codes: ["agent10", "NOPE"] },
  });
  expect(ready.status).toBe("ready_for_complete");
  expect(ready.buyer?.email).toBe(buyer.email);
  expect(messagesOf(ready)).toEqual([["discount_code_invalid", "$.discounts.codes[1]"]]);
  expect(ready.discounts?.applied).toMatchObject([{ code: "AGENT10", amount: 800 }]);
  expect(totalOf(ready)).toBe(8_700);
  expect((await checkout(`GET ${path}`)).totals).toEqual(ready.totals);

  const completed = UcpCheckout.parse((await complete(session.id)).body);
  expect(completed).toMatchObject({ status: "completed", totals: ready.totals });
  expect(await stockOf(product.id)).toBe(8);
  const order = UcpOrder.parse((await ask(`GET /orders/${completed.order?.id}`)).body);
  expect(order).toMatchObject({ checkout_id: session.id, label: completed.order?.label, totals: ready.totals });
  expect(order.line_items).toMatchObject([{ status: "processing", quantity: { original: 2, total: 2, fulfilled: 0 } }]);
  const row = await db.select().from(orders).where(eq(orders.number, order.label)).get();
  expect(row).toMatchObject({ paymentStatus: "paid", customerEmail: buyer.email, total: 8_700 });
  const shown = await app.fetch(new Request(completed.order?.permalink_url ?? ""), env, createExecutionContext());
  expect(await shown.text()).toContain("Satchel");

  const admin = await asAdministrator();
  const path_ = `/admin/orders/${row?.id}`;
  await call(`PUT ${path_}`, { as: admin, body: { status: "shipped", shipment: { carrier: "Royal Mail" } } });
  await call(`POST ${path_}/refunds`, {
    as: admin,
    body: { items: [{ id: (await call(`GET ${path_}`, { as: admin })).body.data.items[0].id, quantity: 1 }] },
  });
  const later = UcpOrder.parse((await ask(`GET /orders/${order.id}`)).body);
  expect(later.line_items).toMatchObject([{ status: "fulfilled", quantity: { original: 2, total: 1, fulfilled: 1 } }]);
  expect(later.fulfillment.events).toMatchObject([{ type: "shipped", carrier: "Royal Mail" }]);
  expect(later.adjustments).toMatchObject([{ type: "refund", totals: [{ amount: -3_600 }] }]);
  for (const line of [`PUT ${path}`, `POST ${path}/cancel`]) {
    const closed = await ask(line, { body: { line_items: linesOf(product) } });
    expect([closed.status, Refusal.parse(closed.body).code]).toEqual([409, "session_closed"]);
  }
});

it("is canceled, and cannot be changed afterwards", async () => {
  const { id } = await aReadySession(await aProduct());
  for (const line of [`POST /checkout-sessions/${id}/cancel`, `GET /checkout-sessions/${id}`]) {
    expect((await checkout(line)).status).toBe("canceled");
  }
  const body = { line_items: linesOf(await aProduct()) };
  const changes = [`POST /checkout-sessions/${id}/cancel`, `PUT /checkout-sessions/${id}`];
  for (const closed of [await complete(id), ...(await Promise.all(changes.map((line) => ask(line, { body }))))]) {
    expect([closed.status, Refusal.parse(closed.body).code]).toEqual([409, "session_closed"]);
  }
  const cart = (await ask("POST /carts", { body })).body;
  UcpCart.parse((await ask(`POST /carts/${cart.id}/cancel`)).body);
  expect(messagesOf((await ask(`GET /carts/${cart.id}`)).body)).toEqual([["not_found", undefined]]);
});

it("shows an order to who created its session, not to who knows its reference and its agent", async () => {
  const session = await aReadySession(await aProduct());
  const { order } = (await complete(session.id)).body;
  expect((await ask(`GET /orders/${order.id}`)).body).toMatchObject({ id: order.id, label: order.label });
  const row = await db.select().from(orders).where(eq(orders.number, order.label)).get();
  expect(order.id).not.toBe(row?.reference);
  expect((await ask(`GET /orders/${row?.reference}`)).body.messages[0].code).toBe("not_found");
  const page = await openPage(session.continue_url);
  expect(page.html).not.toContain(order.id);
});

it("is private to its agent, and is deleted when it has expired", async () => {
  const session = await aReadySession(await aProduct());
  const stranger = { "UCP-Agent": `profile="${new URL("other.json", PROFILE)}"` };
  const path = `/checkout-sessions/${session.id}`;
  const unknown = async (line: string, headers?: Record<string, string>) => {
    const { status, body } = await ask(line, { ...(headers && { headers }) });
    expect([status, Envelope.parse(body).ucp.status, ...messagesOf(body)]).toEqual([
      200,
      "error",
      ["not_found", undefined],
    ]);
  };
  await unknown(`GET ${path}`, stranger);
  const done = await complete((await aReadySession(await aProduct())).id);
  await unknown(`GET /orders/${done.body.order.id}`, stranger);
  await unknown("GET /orders/AAAA-BBBB-CCCC");
  await unknown("GET /carts/cart_nothing");
  await db.update(checkoutSessions).set({ expiresAt: 1 }).where(eq(checkoutSessions.token, session.id));
  await unknown(`GET ${path}`);
  await deleteExpiredSessionsOfAgents(db, Date.now());
  expect(await db.$count(checkoutSessions, eq(checkoutSessions.token, session.id))).toBe(0);
});

it("names items that cannot be bought, and creates no empty session", async () => {
  const [gone, parent, few] = [await aProduct({ stock: 0 }), await aParent(), await aProduct({ stock: 3 })];
  const nothing = await ask("POST /checkout-sessions", { body: { line_items: linesOf(gone) } });
  expect(nothing.status).toBe(200);
  expect(nothing.body.id).toBeUndefined();
  expect(messagesOf(Envelope.parse(nothing.body))).toEqual([["out_of_stock", "$.line_items[0].quantity"]]);
  const line_items = [...linesOf(few), ...linesOf(parent), ...linesOf({ id: 987_654_321 }), ...linesOf(few, 3)];
  const some = await aReadySession(few, { line_items });
  expect(UcpCheckout.parse(some).status).toBe("incomplete");
  expect(messagesOf(some)).toEqual([
    ["item_unavailable", "$.line_items[1].item.id"],
    ["not_found", "$.line_items[2].item.id"],
    ["out_of_stock", "$.line_items[3].quantity"],
  ]);
});

it.each([
  [{}, "$.line_items"],
  [{ line_items: [] }, "$.line_items"],
  [{ line_items: [{ item: { id: "1" }, quantity: 0 }] }, "$.line_items[0].quantity"],
  [
    { line_items: [{ item: { id: "1" }, quantity: 1 }], buyer: { consent: { marketing: "yes" } } },
    "$.buyer.consent.marketing",
  ],
  [{ line_items: [{ item: { id: "1" }, quantity: 1 }], discounts: { codes: [7] } }, "$.discounts.codes[0]"],
])("refuses %j by the path of the field", async (body, path) => {
  const refused = await ask("POST /checkout-sessions", { body });
  expect(refused.status).toBe(400);
  expect(Envelope.parse(refused.body).messages?.map((message) => message.path)).toEqual([path]);
  // A sentence that can be shown without the path.
  expect(refused.body.messages[0].content).toMatch(/^(line_items|buyer|discounts)[.\w]* /);
});

it("places one order, however often a session is completed at once", async () => {
  const product = await aProduct({ stock: 100 });
  const { id } = await aReadySession(product);
  const answers = await Promise.all(Array.from({ length: 40 }, () => complete(id)));
  const all = answers.map(({ body }) => UcpCheckout.parse(body));
  expect(new Set(all.map(({ order }) => order?.id)).size).toBe(1);
  expect((await checkout(`GET /checkout-sessions/${id}`)).status).toBe("completed");
  expect(await stockOf(product.id)).toBe(99);
});

it("sells seven units to fifty agents that complete at once", async () => {
  const product = await aProduct({ stock: 7 });
  const sessions = await Promise.all(Array.from({ length: 50 }, () => aReadySession(product)));
  const answers = await Promise.all(sessions.map(({ id }) => complete(id)));
  const all = answers.map(({ body }) => UcpCheckout.parse(body));
  expect(all.filter(({ status }) => status === "completed")).toHaveLength(7);
  expect(await stockOf(product.id)).toBe(0);
  for (const { status, messages } of all.filter(({ order }) => !order)) {
    expect([status, messages?.[0]?.code]).toEqual(["incomplete", "out_of_stock"]);
  }
});

it("charges nothing at a price that the agent has not seen", async () => {
  const product = await aProduct({ price: 1_000 });
  const session = await aReadySession(product);
  await call(`PUT /admin/products/${product.id}`, { as: await asAdministrator(), body: { price: 12 } });
  const refused = UcpCheckout.parse((await complete(session.id)).body);
  expect(refused).toMatchObject({ status: "incomplete", messages: [{ code: "total_changed", path: "$.totals" }] });
  expect(totalOf(refused)).toBe(1_700);
  expect(await stockOf(product.id)).toBe(100);
  expect(UcpCheckout.parse((await complete(session.id)).body).status).toBe("completed");
});

it("leaves a session as it was if the payment fails, with a message, and can be completed again", async () => {
  const product = await aProduct({ stock: 5 });
  const session = UcpCheckout.parse(await aReadySession(product));
  const { messages, ...failed } = UcpCheckout.parse((await complete(session.id, paidBy("fail"))).body);
  expect(failed).toEqual(session);
  expect(messages).toMatchObject([{ code: "payment_failed", path: "$.payment.instruments[0]" }]);
  expect(await stockOf(product.id)).toBe(5);
  const path = `/checkout-sessions/${session.id}`;
  expect((await checkout(`PUT ${path}`, { line_items: linesOf(product, 2) })).status).toBe("ready_for_complete");
  expect(UcpCheckout.parse((await complete(session.id)).body).status).toBe("completed");
});

it("requires a payment method that the shop offers", async () => {
  const { id } = await aReadySession(await aProduct());
  const unpaid = UcpCheckout.parse((await complete(id, { payment: {} })).body);
  expect(messagesOf(unpaid)).toEqual([["missing", "$.payment.instruments"]]);
  const cash = UcpCheckout.parse((await complete(id, paidBy("", "cash"))).body);
  expect(messagesOf(cash)).toEqual([["method_not_offered", "$.payment.instruments[0].handler_id"]]);
});

it("replays a response by its Idempotency-Key", async () => {
  const product = await aProduct();
  const headers = { "Idempotency-Key": crypto.randomUUID(), "CF-Connecting-IP": anAddress() };
  const body = { line_items: linesOf(product), buyer: aBuyer(), fulfillment: deliveredTo() };
  const first = await ask("POST /checkout-sessions", { body, headers });
  const second = await ask("POST /checkout-sessions", { body, headers });
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  for (const more of [{ buyer: aBuyer() }, { currency: "EUR" }]) {
    const other = await ask("POST /checkout-sessions", { body: { ...body, ...more }, headers });
    expect([other.status, Refusal.parse(other.body).code]).toEqual([409, "idempotency_key_reused"]);
  }
});

/** A shop without test payments, where a person has to pay. */
const ATTENDED = { ...TEST_CARD, TEST_PAYMENTS: "false" };

async function openPage(url: string, form?: Record<string, string>, bindings: object = ATTENDED) {
  const headers = { Origin: "https://shop.test", "Content-Type": "application/x-www-form-urlencoded" };
  const body = form && new URLSearchParams({ token: new URL(url).searchParams.get("token") ?? "", ...form });
  const request = new Request(url, {
    method: form ? "POST" : "GET",
    headers,
    redirect: "manual",
    ...(body && { body }),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...bindings }, context);
  const html = await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, html };
}

/** Values of a form's inputs, and the selected options of its lists. */
function inputsOf(html: string): Record<string, string> {
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => [attribute(tag, "name"), attribute(tag, "value")]);
  const lists = [...html.matchAll(/<select[^>]*>/g)].map(([tag]) => [attribute(tag, "name"), ""]);
  return Object.fromEntries([...lists, ...inputs].filter(([name]) => name));
}

it("leaves the payment to the buyer, who finishes the session on its page", async () => {
  const product = await aProduct({ name: "Lantern", price: 2_000 });
  const session = UcpCheckout.parse(await aReadySession(product, { buyer: { email: "ada@example.test" } }, ATTENDED));
  expect(session.status).toBe("incomplete");
  const path = `/checkout-sessions/${session.id}`;
  const buyer = aBuyer();
  const named = await checkout(`PUT ${path}`, { line_items: linesOf(product), buyer }, ATTENDED);
  expect([named.status, ...messagesOf(named)]).toEqual([
    "requires_escalation",
    ["buyer_payment_required", "$.payment.instruments"],
  ]);
  const chosen = UcpCheckout.parse(
    (await complete(session.id, paidBy("", "bank_transfer"), { bindings: ATTENDED })).body,
  );
  expect(chosen.status).toBe("requires_escalation");
  const url = named.continue_url ?? "";
  const page = await openPage(url);
  expect(page.html).toContain("Lantern");
  const { expected_total: _, token: __, _dirty: ___, ...known } = inputsOf(page.html);
  expect(known).toMatchObject({ "customer.email": buyer.email, "shipping_address.city": "London" });
  const typed = { ...known, "shipping_address.country": "GB", shipping_method: "1", payment_method: "bank_transfer" };
  const changed = await openPage(url, { ...typed, expected_total: "1" });
  expect([changed.status, changed.html.includes("The total is now $25.00")]).toEqual([400, true]);
  expect(changed.html).not.toContain('aria-invalid="true"');
  const wrong = await openPage(url, { ...typed, "customer.email": "nobody", expected_total: "25" });
  expect(wrong.status).toBe(400);
  expect((await openPage(url, { ...typed, expected_total: "25" })).status).toBe(303);
  expect((await openPage(url)).html).toContain("waiting for payment");
  const done = await checkout(`GET ${path}`, undefined, ATTENDED);
  expect(done).toMatchObject({ status: "completed", order: { label: expect.stringMatching(/^#\d+$/) } });
  expect((await openPage(url.replace("sfu_", "sfd_"))).status).toBe(404);
});

it("waits for the buyer if the order is paid online", async () => {
  const session = await aReadySession(await aProduct({ price: 2_000 }));
  const page = await openPage(session.continue_url, undefined, TEST_CARD);
  const { token: _, ...known } = inputsOf(page.html);
  const typed = { ...known, "shipping_address.country": "GB", shipping_method: "1", payment_method: "test_card" };
  expect((await openPage(session.continue_url, typed, TEST_CARD)).status).toBe(303);
  const waiting = await checkout(`GET /checkout-sessions/${session.id}`);
  expect(waiting.status).toBe("complete_in_progress");
  const row = await db
    .select()
    .from(orders)
    .where(eq(orders.number, waiting.order?.label ?? ""))
    .get();
  await chooseOutcome({ payment: { next_action: { url: row?.paymentUrl ?? "" } } }, "succeed");
  expect((await checkout(`GET /checkout-sessions/${session.id}`)).status).toBe("completed");
});

it("is completed by an order that ships before it is paid", async () => {
  const body = { invoice: { offered: true, guests: true } };
  await call("PUT /admin/payment-settings", { as: await asAdministrator(), body });
  const session = await aReadySession(await aProduct({ price: 2_000 }), {}, ATTENDED);
  const { token: _, ...known } = inputsOf((await openPage(session.continue_url)).html);
  const typed = { ...known, "shipping_address.country": "GB", shipping_method: "1", payment_method: "invoice" };
  expect((await openPage(session.continue_url, typed)).status).toBe(303);
  const done = await checkout(`GET /checkout-sessions/${session.id}`);
  expect(done.status).toBe("completed");
  const order = UcpOrder.parse((await ask(`GET /orders/${done.order?.id}`)).body);
  expect(order.line_items).toMatchObject([{ status: "processing", quantity: { total: 1 } }]);
});
