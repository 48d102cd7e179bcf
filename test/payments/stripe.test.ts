import { expect, it, vi } from "vitest";
import { call, callWith } from "../support/call.ts";
import { aRefusal, expectRefusal } from "../support/refusal.ts";
import { aFile, aProduct, aUser, orderOf } from "../support/shop.ts";
import { buy, moneyOf, orderNow, packagesOf, stateOf, stockOf } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("cards");

it("sends a card's buyer to Stripe, with a session that contains the price of the order", async () => {
  const { answer, order } = await buy(STRIPE, { quantity: 2 });
  expect(answer.status).toBe(201);
  const [request, ...others] = await sent(order.reference);
  expect(others).toEqual([]);
  expect(order).toMatchObject({
    status: "pending",
    payment_status: "requires_action",
    payment: {
      provider: "stripe",
      reference: expect.stringMatching(/^cs_test_/),
      next_action: { type: "redirect", url: `https://checkout.stripe.test/${order.payment.reference}` },
      paid_at: null,
    },
  });
  expect(request?.line).toBe("POST /v1/checkout/sessions");
  expect(request?.headers).toMatchObject({ "idempotency-key": order.reference, authorization: "Bearer sk_test_cards" });
  const { expires_at, ...fields } = Object.fromEntries(new URLSearchParams(request?.body));
  expect(fields).toEqual({
    mode: "payment",
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": "usd",
    "line_items[0][price_data][unit_amount]": "3998",
    "line_items[0][price_data][product_data][name]": `2 × ${order.items[0].name}`,
    client_reference_id: order.reference,
    "metadata[order_reference]": order.reference,
    "payment_intent_data[metadata][order_reference]": order.reference,
    success_url: `https://shop.test/orders/${order.reference}?paid`,
    cancel_url: `https://shop.test/orders/${order.reference}?paid`,
  });
  const secondsLonger = Number(expires_at) - Date.parse(order.expires_at) / 1000;
  expect(secondsLonger).toBeGreaterThanOrEqual(60);
  expect(secondsLonger).toBeLessThan(62);
});

it("requests nothing from Stripe when the order is free", async () => {
  const { order } = await buy(STRIPE, { product: await aProduct({ price: 0 }) });
  expect(order).toMatchObject({ status: "processing", payment_status: "paid", payment: { next_action: null } });
  expect(await sent(order.reference)).toEqual([]);
});

it("requests nothing from Stripe when the order is refused", async () => {
  const account = stripeAccount("refused");
  const { answer } = await buy(account, { product: { ...(await aProduct()), price: 7_777 } });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["items.0.price"]]);
  expect(await sent("sk_test_refused")).toEqual([]);
});

it("returns the same next action for an Idempotency-Key, and opens no second session", async () => {
  const [{ token }, product] = [await aUser(), await aProduct({ name: "Once only" })];
  const headers = { "Idempotency-Key": "card-once" };
  const first = await buy(STRIPE, { as: token, product, headers });
  const second = await buy(STRIPE, { as: token, product, headers });
  expect(second.answer.headers.get("Idempotent-Replayed")).toBe("true");
  expect(second.order).toEqual(first.order);
  expect(await sent(first.order.payment.reference)).toEqual([]);
  expect(await sent(first.order.reference)).toHaveLength(1);
  expect(await stockOf(product)).toBe(99);
});

it("asks Stripe again with the same key when the first response is lost", async () => {
  const retried = stripeAccount("retried");
  await script({ line: "POST /v1/checkout/sessions", about: "sk_test_retried", status: 500 });
  const { answer, order } = await buy(retried);
  expect(answer.status).toBe(201);
  const keys = (await sent(order.reference)).map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([order.reference, order.reference]);
});

it.each([
  ["is down", { status: 500, times: 2, body: { error: { type: "api_error" } } }, {}],
  ["is asked too often", { status: 429, times: 2, body: { error: { type: "invalid_request_error" } } }, {}],
  ["is behind a proxy that fails", { status: 503, times: 2 }, {}],
  ["cannot be reached", { status: 200, times: 0 }, { STRIPE_API_URL: "http://127.0.0.1:1" }],
])("places no order while Stripe %s, and reserves no stock", async (name, how, more) => {
  const account = stripeAccount(name.replaceAll(" ", "_"));
  await script({ line: "POST /v1/checkout/sessions", about: account.STRIPE_SECRET_KEY, ...how });
  const [user, product] = [await aUser(), await aProduct({ stock: 3 })];
  const { answer } = await buy({ ...account, ...more }, { as: user.token, product });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toBe("5");
  expect(answer.body.message).toBe("Stripe is temporarily unavailable. Try again");
  expect((await call("GET /account/orders", { as: user.token })).body.data).toEqual([]);
  expect(await stockOf(product)).toBe(3);
});

it("does not mention a wrong key to the buyer, or the key in the log", async () => {
  const log = vi.spyOn(console, "error");
  const { answer } = await buy({ ...STRIPE, STRIPE_SECRET_KEY: "rk_wrong" });
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual(aRefusal("internal_error", "An unexpected error occurred"));
  const lines = log.mock.calls.join();
  expect(lines).toContain("Stripe refused: invalid_request_error 401");
  expect(lines).not.toMatch(/[sr]k_/);
});

it("refuses a total that is too small for a card", async () => {
  const { answer, product } = await buy(STRIPE, { product: await aProduct({ price: 49, stock: 3 }) });
  expectRefusal(answer, 400, "payment_method", "payment_not_possible");
  expect(await stockOf(product)).toBe(3);
});

it("leaves card orders without a next action while Stripe is off, and has no webhook", async () => {
  const { body } = await call("POST /orders", {
    as: (await aUser()).token,
    body: orderOf(await aProduct(), 1, { payment_method: "credit_card" }),
  });
  expect(body.data).toMatchObject({ payment_status: "unpaid", payment: { provider: null, next_action: null } });
  const webhook = await call("POST https://shop.test/api/v1/webhooks/stripe", { body: {} });
  expect(webhook.status).toBe(404);
});

it("pays the order when Stripe reports that the session is paid, once however often it does", async () => {
  const { order, product, token } = await buy(STRIPE);
  const payload = stripeEvent("completed", { order });
  expect((await tellStripe(STRIPE, { payload })).status).toBe(200);
  const { body } = await call(`GET /account/orders/${order.id}`, { as: token });
  expect(body.data).toMatchObject({
    status: "processing",
    payment_status: "paid",
    payment: { reference: `pi_${order.reference}`, next_action: null, paid_at: expect.any(String) },
    expires_at: null,
    history: [{ to: "pending" }, { from: "pending", to: "processing", actor: "stripe" }],
  });
  const paid = await stateOf(order.id, product);
  expect(paid.money).toEqual([{ kind: "charge", method: "credit_card", amount: -1999 }]);
  expect((await tellStripe(STRIPE, { payload })).status).toBe(200);
  expect((await payByStripe(STRIPE, order)).status).toBe(200);
  expect(await stateOf(order.id, product)).toEqual(paid);
});

it("completes an order of downloads and grants them", async () => {
  const file = await aFile({ access: "package" });
  const product = await aProduct({ type: "digital", stock: null, fileIds: [file.id] });
  const { order } = await buy(STRIPE, { product, quantity: 2 });
  expect(await packagesOf(order.id)).toEqual([]);
  await payByStripe(STRIPE, order);
  expect((await orderNow(order.id))?.status).toBe("completed");
  expect(await packagesOf(order.id)).toMatchObject([{ units: 2 }]);
});

it("waits for a slow bank payment", async () => {
  const { order } = await buy(STRIPE);
  const processing = stripeEvent("completed", { order, payment_status: "unpaid" });
  expect((await tellStripe(STRIPE, { payload: processing })).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paymentStatus: "requires_action" });
  await tellStripe(STRIPE, { payload: stripeEvent("async_payment_succeeded", { order }) });
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
});

it("records a failed payment, and still accepts one that succeeds", async () => {
  const { order } = await buy(STRIPE);
  await tellStripe(STRIPE, { payload: stripeEvent("async_payment_failed", { order, payment_status: "unpaid" }) });
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paymentStatus: "failed" });
  expect(await moneyOf(order.id)).toEqual([]);
  await tellStripe(STRIPE, { payload: stripeEvent("completed", { order, payment_intent: "pi_of_another_card" }) });
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid", paymentReference: "pi_of_another_card" });
});

it.each([
  ["signed with another secret", { secret: "whsec_other" }],
  ["changed on the way", { sentAs: JSON.stringify({ id: "evt_forged" }) }],
  ["signed six minutes ago", { timestamp: Date.now() / 1000 - 360 }],
  ["dated six minutes ahead", { timestamp: Date.now() / 1000 + 360 }],
])("refuses an event %s, and changes nothing", async (_, wrong) => {
  const { order, product } = await buy(STRIPE);
  const before = await stateOf(order.id, product);
  const { status, body } = await tellStripe(STRIPE, { payload: stripeEvent("completed", { order }), ...wrong });
  expect([status, body.details]).toEqual([400, [{ field: "stripe-signature", code: "invalid_signature" }]]);
  expect(await stateOf(order.id, product)).toEqual(before);
});

it("refuses a signed body that is not JSON", async () => {
  const { status, body } = await tellStripe(STRIPE, { payload: "nonsense" });
  expect([status, Object.keys(body.errors)]).toEqual([400, ["body"]]);
});

it("refuses bytes that are not UTF-8", async () => {
  const body = new Uint8Array([0x7b, 0xe9, 0x7d]);
  const { status, body: answer } = await callWith(STRIPE, "POST https://shop.test/api/v1/webhooks/stripe", { body });
  expect([status, answer.errors]).toEqual([400, { body: ["must be valid UTF-8"] }]);
});

it("refuses an event without a signature", async () => {
  const { order } = await buy(STRIPE);
  const line = "POST https://shop.test/api/v1/webhooks/stripe";
  const { status, body } = await callWith(STRIPE, line, { body: stripeEvent("completed", { order }) });
  expect([status, Object.keys(body.errors)]).toEqual([400, ["stripe-signature"]]);
  expect((await orderNow(order.id))?.status).toBe("pending");
});

it.each([
  ["tell of something else", stripeEvent("expired", { order: { reference: "", total: 1 } })],
  ["are of another shop's session", stripeEvent("completed", { order: { reference: "", total: 1 }, metadata: {} })],
  ["name an order that is not here", stripeEvent("completed", { order: { reference: "0000-0000-0000", total: 1 } })],
])("acknowledges events that %s", async (_, payload) => {
  expect((await tellStripe(STRIPE, { payload })).status).toBe(200);
});

it("refuses a signed event of another shape", async () => {
  const payload = stripeEvent("completed", { order: { reference: "0000-0000-0000", total: 1 }, amount_total: "12.50" });
  const { status, body } = await tellStripe(STRIPE, { payload });
  expect([status, body.errors]).toEqual([400, { body: ["is not an event as Stripe sends it"] }]);
});
