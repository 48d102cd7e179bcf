import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { orders, products } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { aRefusal } from "../support/refusal.ts";
import { aFile, aProduct, aUser, db } from "../support/shop.ts";
import { approval, captureOf, paypalAccount, paypalEvent, tellPaypal } from "./support/paypal.ts";
import { buy, expire, moneyOf, orderNow, packagesOf, stateOf, stockOf } from "./support/shop.ts";
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

it("captures the money when the buyer has approved, and pays the order with it", async () => {
  const { order, token } = await buy(PAYPAL);
  const { reference } = order.payment;
  expect((await tellPaypal(PAYPAL, approval(order, "WH-APPROVED"))).status).toBe(200);
  const { body } = await call(`GET /account/orders/${order.id}`, { as: token });
  expect(body.data).toMatchObject({
    status: "processing",
    payment_status: "paid",
    payment: { reference: `CAP-${reference}`, next_action: null },
    history: [{ to: "pending" }, { from: "pending", to: "processing", actor: "paypal" }],
  });
  expect(await moneyOf(order.id)).toEqual([{ kind: "charge", method: "paypal", amount: -1999 }]);
  const [capture, ...others] = await sent(reference, `POST /v2/checkout/orders/${reference}/capture`);
  expect(others).toEqual([]);
  expect(capture?.headers["paypal-request-id"]).toBe(`capture-${reference}-WH-APPROVED`);
});

it("pays once, in whatever order and however often PayPal reports the payment", async () => {
  const { order, product } = await buy(PAYPAL);
  const approved = approval(order);
  const completed = paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  await tellPaypal(PAYPAL, approved);
  const paid = await stateOf(order.id, product);
  for (const event of [completed, approved, completed, approval(order)]) {
    expect((await tellPaypal(PAYPAL, event)).status).toBe(200);
    expect(await stateOf(order.id, product)).toEqual(paid);
  }
});

it("pays once when both events arrive at the same instant", async () => {
  const { order } = await buy(PAYPAL);
  const completed = paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  const answers = await Promise.all([approval(order), completed].map((event) => tellPaypal(PAYPAL, event)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await moneyOf(order.id)).toHaveLength(1);
  expect((await orderNow(order.id))?.status).toBe("processing");
});

it("finds an earlier capture, and completes an order of downloads with it", async () => {
  const file = await aFile({ access: "package" });
  const product = await aProduct({ type: "digital", stock: null, fileIds: [file.id] });
  const { order } = await buy(PAYPAL, { product });
  const { reference } = order.payment;
  const line = `POST /v2/checkout/orders/${reference}/capture`;
  await script({ line, about: reference, status: 504 });
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(503);
  const known = {
    id: reference,
    purchase_units: [{ payments: { captures: [{ ...captureOf(order), status: "COMPLETED" }] } }],
  };
  await script({ line, about: reference, status: 422, body: { details: [{ issue: "ORDER_ALREADY_CAPTURED" }] } });
  await script({ line: `GET /v2/checkout/orders/${reference}`, about: reference, status: 200, body: known });
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ status: "completed", paymentReference: `CAP-${reference}` });
  expect(await packagesOf(order.id)).toHaveLength(1);
});

type Bought = Awaited<ReturnType<typeof buy>>;

it.each<[string, (bought: Bought) => Promise<unknown>]>([
  ["was cancelled", ({ order, token }) => callWith(PAYPAL, `POST /account/orders/${order.id}/cancel`, { as: token })],
  [
    "has expired and whose stock is gone",
    async ({ order, product }) => {
      await expire(order.id);
      await db.update(products).set({ stockQuantity: 0 }).where(eq(products.id, product.id));
    },
  ],
  [
    "was paid otherwise",
    async ({ order }) =>
      callWith(PAYPAL, `PUT /admin/orders/${order.id}`, {
        as: (await aUser({ role: "admin" })).token,
        body: { payment_status: "paid" },
      }),
  ],
  [
    "costs another amount since",
    ({ order }) => db.update(orders).set({ shippingTotal: 1, total: 2000 }).where(eq(orders.id, order.id)),
  ],
])("does not capture the payment of an order that %s", async (_, change) => {
  const bought = await buy(PAYPAL);
  const { order, product } = bought;
  await change(bought);
  const before = await stateOf(order.id, product);
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(200);
  expect(await sent(order.payment.reference, "POST /v2/checkout/orders/")).toEqual([]);
  expect(await stateOf(order.id, product)).toEqual(before);
});

it("waits for a capture under review, and records its denial", async () => {
  const { order } = await buy(PAYPAL);
  const { reference } = order.payment;
  const pending = { purchase_units: [{ payments: { captures: [captureOf(order, { status: "PENDING" })] } }] };
  await script({ line: `POST /v2/checkout/orders/${reference}/capture`, about: reference, status: 201, body: pending });
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(200);
  expect((await orderNow(order.id))?.paymentStatus).toBe("requires_action");
  await tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.DENIED", captureOf(order)));
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paymentStatus: "failed" });
  expect(await moneyOf(order.id)).toEqual([]);
});

it("records a declined card, and captures the money when the buyer approves with another", async () => {
  const { order } = await buy(PAYPAL);
  const { reference } = order.payment;
  const declined = { name: "UNPROCESSABLE_ENTITY", details: [{ issue: "INSTRUMENT_DECLINED" }] };
  await script({
    line: `POST /v2/checkout/orders/${reference}/capture`,
    about: reference,
    status: 422,
    body: declined,
  });
  expect((await tellPaypal(PAYPAL, approval(order))).status).toBe(200);
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paymentStatus: "failed" });
  await tellPaypal(PAYPAL, approval(order));
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
});

it.each([
  ["that names another payment", { "PayPal-Transmission-Id": crypto.randomUUID() }],
  ["signed by somebody else", { "PayPal-Transmission-Sig": "forged" }],
  ["with a signature that PayPal does not even look at", { "PayPal-Transmission-Sig": "malformed" }],
  ["without a signature", { "PayPal-Transmission-Sig": "" }],
])("refuses an event %s, and changes nothing", async (_, wrong) => {
  const { order, product } = await buy(PAYPAL);
  const before = await stateOf(order.id, product);
  const event = paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order));
  const { status, body } = await tellPaypal(PAYPAL, event, wrong);
  expect([status, Object.keys(body.errors)]).toEqual([400, ["paypal-transmission-sig"]]);
  expect(await stateOf(order.id, product)).toEqual(before);
});

const foreign = { id: "F1", amount: { currency_code: "USD", value: "1.00" } };

it.each([
  ["tell of something else", "PAYMENT.CAPTURE.REFUNDED", {}],
  ["are of a payment that was not opened here", "PAYMENT.CAPTURE.COMPLETED", foreign],
  ["are of an order that was not opened here", "CHECKOUT.ORDER.APPROVED", { id: "F1", purchase_units: [foreign] }],
])("acknowledges events that %s", async (_, type, resource) => {
  expect((await tellPaypal(PAYPAL, paypalEvent(type, resource))).status).toBe(200);
  expect(await sent("/v2/checkout/orders/F1")).toEqual([]);
});

it.each([
  ["no JSON", "nonsense", "must be JSON"],
  ["no event", "[]", "is not an event as PayPal sends it"],
])("refuses a body that is %s", async (_, payload, words) => {
  const { status, body } = await tellPaypal(PAYPAL, payload);
  expect([status, body.errors]).toEqual([400, { body: [words] }]);
});

it("refuses an amount with three decimals", async () => {
  const { order } = await buy(PAYPAL);
  const amount = { currency_code: "USD", value: "19.991" };
  const { status } = await tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order, { amount })));
  expect([status, await moneyOf(order.id)]).toEqual([400, []]);
});

it("has no webhook while PayPal is off", async () => {
  expect((await call("POST https://shop.test/api/v1/webhooks/paypal", { body: {} })).status).toBe(404);
});
