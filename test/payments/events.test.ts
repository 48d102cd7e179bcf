import { describe, expect, it } from "vitest";
import { permissions } from "../../src/platform/auth/roles.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aKey, aProduct, aUser, orderOf } from "../support/shop.ts";
import { approval, captureOf, paypalAccount, paypalEvent, tellPaypal } from "./support/paypal.ts";
import { buy, orderNow, refundsOf, stateOf } from "./support/shop.ts";
import { sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("events");
const PAYPAL = paypalAccount("events");
const forged = { "PayPal-Transmission-Sig": "forged" };

const verifications = async (about: string) => (await sent(about, "POST /v1/notifications/")).length;

it("asks PayPal nothing about events that name no order of the shop", async () => {
  const orders = Array.from({ length: 50 }, (_, index) => `0000-0000-${String(index).padStart(4, "0")}`);
  const events = orders.map((custom_id) =>
    paypalEvent("PAYMENT.CAPTURE.COMPLETED", { id: `F-${custom_id}`, custom_id }),
  );
  const answers = await Promise.all(events.map((event) => tellPaypal(PAYPAL, event, forged)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await verifications("F-0000-0000-")).toBe(0);
});

it("limits its calls to PayPal about forged events of one address that name an order", async () => {
  const { order } = await buy(PAYPAL);
  const event = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  const from = { "CF-Connecting-IP": "192.0.2.78" };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => tellPaypal(PAYPAL, event(), { ...forged, ...from })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  expect(answers.find(({ status }) => status === 429)?.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(await verifications(`CAP-${order.payment.reference}`)).toBe(20);
});

it.each([
  ["one address", { "CF-Connecting-IP": "192.0.2.79" }],
  ["many addresses", {}],
])("accepts the payment of the very order that sixty forged events of %s named", async (_, from) => {
  const { order } = await buy(PAYPAL);
  const event = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  await Promise.all(Array.from({ length: 60 }, () => tellPaypal(PAYPAL, event(), { ...forged, ...from })));
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid" });
});

it("answers a repeated event without asking PayPal, even from an address that sent forged events", async () => {
  const { order } = await buy(PAYPAL);
  const from = { "CF-Connecting-IP": "192.0.2.80" };
  const capture = paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  expect((await tellPaypal(PAYPAL, capture)).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid" });
  const other = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order, { id: `F-${order.reference}` }));
  await Promise.all(Array.from({ length: 30 }, () => tellPaypal(PAYPAL, other(), { ...forged, ...from })));
  expect((await tellPaypal(PAYPAL, other(), from)).status).toBe(429);
  expect((await tellPaypal(PAYPAL, capture, from)).status).toBe(200);
  expect(await verifications(`CAP-${order.payment.reference}`)).toBe(1);
});

it("does not limit genuine events, however many name an order", async () => {
  const { order } = await buy(PAYPAL);
  const from = { "CF-Connecting-IP": "192.0.2.81" };
  for (let n = 0; n < 25; n++) {
    const declined = paypalEvent("PAYMENT.CAPTURE.DENIED", captureOf(order));
    expect((await tellPaypal(PAYPAL, declined, from)).status).toBe(200);
  }
});

it("accepts another order's payment meanwhile, even from the address that sent forged events", async () => {
  const [{ order: known }, { order }] = [await buy(PAYPAL), await buy(PAYPAL)];
  const from = { "CF-Connecting-IP": "192.0.2.77" };
  const event = () => paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(known));
  await Promise.all(Array.from({ length: 60 }, () => tellPaypal(PAYPAL, event(), { ...forged, ...from })));
  expect((await tellPaypal(PAYPAL, approval(order), from)).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ paymentStatus: "paid" });
});

type Order = { reference: string; total: number; payment: { reference: string } };

const providers = [
  {
    secrets: STRIPE,
    method: "credit_card",
    tell: (order: Order, value: string, currency: string) => {
      const wrong = { amount_total: Number(value.replace(".", "")), currency: currency.toLowerCase() };
      return tellStripe(STRIPE, { payload: stripeEvent("completed", { order, ...wrong }) });
    },
    refunded: async (order: Order) => {
      const [request] = await sent(`pi_${order.reference}`, "POST /v1/refunds");
      return new URLSearchParams(request?.body).get("amount");
    },
    asked: (value: string) => value.replace(".", ""),
  },
  {
    secrets: PAYPAL,
    method: "paypal",
    tell: (order: Order, value: string, currency: string) => {
      const capture = captureOf(order, { amount: { currency_code: currency, value } });
      return tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.COMPLETED", capture));
    },
    refunded: async ({ payment }: Order) =>
      JSON.parse((await sent(`CAP-${payment.reference}`, "POST /v2/payments/captures/"))[0]?.body ?? "{}").amount,
    asked: (value: string, currency: string) => ({ currency_code: currency, value }),
  },
] as const;

describe.each(providers)("$method", ({ secrets, method, tell, refunded, asked }) => {
  it.each([
    ["less", "19.98", "USD"],
    ["more", "25.00", "USD"],
    ["another currency", "19.99", "EUR"],
    ["a currency without decimals", "1999", "JPY"],
  ])("records a payment of %s, shows it and returns it, once", async (_, value, currency) => {
    const [admin, { order, product, token }] = [await aUser({ role: "admin" }), await buy(secrets)];
    expect((await tell(order, value, currency)).status).toBe(200);
    expect(await orderNow(order.id)).toMatchObject({ status: "pending", paidAt: null });
    const { data } = (await call(`GET /account/orders/${order.id}`, { as: token })).body;
    const amount = Number(value);
    expect(data.history.slice(1)).toMatchObject([
      { kind: "payment_returned", amount, currency, note: `${value} ${currency} was received, but 19.99 USD was due` },
      { kind: "refund_sent", amount, currency },
    ]);
    const moved = (await call(`GET /admin/transactions?order_id=${order.id}`, { as: admin.token })).body.data;
    expect(moved).toMatchObject([
      { kind: "refund", method, amount, currency },
      { kind: "charge", method, amount: -amount, currency },
    ]);
    expect(await refunded(order)).toEqual(asked(value, currency));
    const after = await stateOf(order.id, product);
    expect((await tell(order, value, currency)).status).toBe(200);
    expect(await stateOf(order.id, product)).toEqual(after);
    expect(await refundsOf(order.id)).toHaveLength(1);
    expect(await brokenInvariants()).toEqual({});
  });

  it("still accepts the right amount afterwards", async () => {
    const { order } = await buy(secrets);
    await tell(order, "1.00", "USD");
    const again = { ...order, payment: { reference: `again-${order.payment.reference}` } };
    const payload = stripeEvent("completed", { order, payment_intent: `pi_again_${order.reference}` });
    if (method === "paypal") await tell(again, "19.99", "USD");
    else await tellStripe(STRIPE, { payload });
    expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
  });
});

const tellCapture = (order: Parameters<typeof captureOf>[0]) =>
  tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order)));

async function aTestOrder() {
  const [{ key }, product] = [await aKey({ test: true, permissions }), await aProduct({ price: 1999, stock: 10 })];
  const { body } = await call("POST /orders", { as: key, body: orderOf(product, 1, { payment_method: "test_card" }) });
  return { order: body.data, product };
}

it.each([
  ["Stripe", "a test key's", aTestOrder, payByStripe.bind(null, STRIPE)],
  ["Stripe", "PayPal's", () => buy(PAYPAL), payByStripe.bind(null, STRIPE)],
  ["PayPal", "a test key's", aTestOrder, tellCapture],
  ["PayPal", "Stripe's", () => buy(STRIPE), tellCapture],
])("an event of %s does not pay %s order", async (_, __, anOrder, tell) => {
  const { order, product } = await anOrder();
  const before = await stateOf(order.id, product);
  expect((await tell(order)).status).toBe(200);
  expect(await stateOf(order.id, product)).toEqual(before);
});
