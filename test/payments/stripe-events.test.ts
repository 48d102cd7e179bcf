import { expect, it } from "vitest";
import { call, callWith } from "../support/call.ts";
import { aFile, aProduct } from "../support/shop.ts";
import { buy, moneyOf, orderNow, packagesOf, stateOf } from "./support/shop.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("card-events");

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
