import { expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { aRefusal, expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";
import { buy, stockOf } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { stripeAccount } from "./support/stripe.ts";

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
