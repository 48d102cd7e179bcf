import { expect, it, vi } from "vitest";
import { call } from "../support/call.ts";
import { aRefusal } from "../support/refusal.ts";
import { aProduct, aUser } from "../support/shop.ts";
import { paypalAccount } from "./support/paypal.ts";
import { buy, stockOf } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";

const PAYPAL = paypalAccount("shop");

const usd = (value: string) => ({ currency_code: "USD", value });

it("sends the buyer to PayPal, with an order that contains the price", async () => {
  const { answer, order } = await buy(PAYPAL, { quantity: 2 });
  expect(answer.status).toBe(201);
  const { reference, payment } = order;
  expect(order).toMatchObject({
    status: "pending",
    payment_status: "requires_action",
    payment: {
      provider: "paypal",
      reference: expect.stringMatching(/^PP/),
      next_action: { type: "redirect", url: `https://paypal.test/checkoutnow?token=${payment.reference}` },
      paid_at: null,
    },
  });
  const [request, ...others] = await sent(reference);
  expect(others).toEqual([]);
  expect(request?.line).toBe("POST /v2/checkout/orders");
  expect(request?.headers["paypal-request-id"]).toBe(order.reference);
  const back = `https://shop.test/orders/${reference}?paid`;
  expect(JSON.parse(request?.body ?? "")).toEqual({
    intent: "CAPTURE",
    purchase_units: [
      {
        reference_id: reference,
        custom_id: reference,
        invoice_id: reference,
        amount: {
          currency_code: "USD",
          value: "39.98",
          breakdown: { item_total: usd("39.98"), shipping: usd("0.00"), tax_total: usd("0.00"), discount: usd("0.00") },
        },
        items: [{ name: order.items[0].name, quantity: "2", unit_amount: usd("19.99") }],
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          user_action: "PAY_NOW",
          shipping_preference: "NO_SHIPPING",
          return_url: back,
          cancel_url: back,
        },
      },
    },
  });
});

it("requests one token, and another when PayPal no longer accepts it", async () => {
  const account = paypalAccount("tokens");
  const basic = btoa("client-tokens:secret");
  await buy(account);
  await buy(account);
  expect(await sent(basic)).toHaveLength(1);
  await script({ line: "POST /v2/checkout/orders", about: "A21.client-tokens", status: 401 });
  expect((await buy(account)).answer.status).toBe(201);
  expect(await sent(basic)).toHaveLength(2);
});

it("returns the same next action for an Idempotency-Key, and opens no second payment", async () => {
  const [{ token }, product] = [await aUser(), await aProduct()];
  const headers = { "Idempotency-Key": "paypal-once" };
  const first = await buy(PAYPAL, { as: token, product, headers });
  const second = await buy(PAYPAL, { as: token, product, headers });
  expect(second.answer.headers.get("Idempotent-Replayed")).toBe("true");
  expect(second.order).toEqual(first.order);
  expect(await sent(first.order.reference)).toHaveLength(1);
  expect(await stockOf(product)).toBe(99);
});

it.each([
  ["is down", { status: 503 }, {}],
  ["is asked too often", { status: 429 }, {}],
  ["cannot be reached", { status: 200, times: 0 }, { PAYPAL_API_URL: "http://127.0.0.1:1" }],
])("places no order while PayPal %s, and reserves no stock", async (name, how, more) => {
  const account = paypalAccount(name.replaceAll(" ", "-"));
  await script({ line: "POST /v2/checkout/orders", about: `A21.${account.PAYPAL_CLIENT_ID}`, ...how });
  const [user, product] = [await aUser(), await aProduct({ stock: 3 })];
  const { answer } = await buy({ ...account, ...more }, { as: user.token, product });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toBe("5");
  expect(answer.body.message).toBe("PayPal is temporarily unavailable. Try again");
  expect((await call("GET /account/orders", { as: user.token })).body.data).toEqual([]);
  expect(await stockOf(product)).toBe(3);
});

it("does not mention a wrong secret to the buyer, or the secret in the log", async () => {
  const log = vi.spyOn(console, "error");
  const { answer } = await buy({ ...paypalAccount("wrong"), PAYPAL_CLIENT_SECRET: "wrong" });
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual(aRefusal("internal_error", "An unexpected error occurred"));
  const lines = log.mock.calls.join();
  expect(lines).toContain("PayPal refused /v1/oauth2/token: 401");
  expect(lines).not.toMatch(/wrong"|client-wrong/);
});

it("asks PayPal once for an order that is repeated with its Idempotency-Key", async () => {
  const [{ token: as }, product] = [await aUser(), await aProduct({ price: 193_719, stock: 10 })];
  const request = { product, as, headers: { "Idempotency-Key": "asked once" } };
  const first = await buy(PAYPAL, request);
  const again = await buy(PAYPAL, request);
  expect([again.answer.status, again.answer.body]).toEqual([201, first.answer.body]);
  expect(await sent("1937.19", "POST /v2/checkout/orders")).toHaveLength(1);
});
