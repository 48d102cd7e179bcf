import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { followEvents } from "../../src/apps/follow-events.ts";
import { callWith } from "../support/call.ts";
import { aSendingShop } from "../support/emails.ts";
import { aUser } from "../support/shop.ts";
import { paypalAccount } from "./support/paypal.ts";
import { buy, expire, moneyOf, orderNow, refundsOf, settlePayments } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("closed");
const PAYPAL = paypalAccount("closed");

const cancel = (id: number, as: string, secrets: Partial<Env> = STRIPE) =>
  callWith(secrets, `POST /account/orders/${id}/cancel`, { as });
const closings = async ({ payment }: { payment: { reference: string } }) =>
  (await sent(payment.reference, "POST /v1/checkout/sessions/")).length;

it("closes Stripe's page when its order is cancelled, and leaves the order unpaid", async () => {
  const { order, token } = await buy(STRIPE);
  expect(order.payment_status).toBe("requires_action");
  const { body } = await cancel(order.id, token);
  expect(body.data).toMatchObject({ status: "cancelled", payment_status: "unpaid", payment: { next_action: null } });
  expect(await closings(order)).toBe(1);
});

it("closes it by the schedule if Stripe cannot be reached, and once", async () => {
  const { order, token } = await buy(STRIPE);
  await script({ line: "POST /v1/checkout/sessions/", about: order.payment.reference, status: 503, times: 2 });
  expect((await cancel(order.id, token)).status).toBe(200);
  for (const minutes of [1, 3, 7]) await settlePayments(STRIPE, Date.now() + minutes * 60_000);
  expect(await closings(order)).toBe(3);
});

it("does not ask again if Stripe refuses, because the page was paid or has expired", async () => {
  const { order, token } = await buy(STRIPE);
  await script({ line: "POST /v1/checkout/sessions/", about: order.payment.reference, status: 400 });
  await cancel(order.id, token);
  await settlePayments(STRIPE);
  expect(await closings(order)).toBe(1);
});

it("closes it when a manual payment was recorded", async () => {
  const [admin, { order }] = [await aUser({ role: "admin" }), await buy(STRIPE)];
  const body = { payment_status: "paid" };
  expect((await callWith(STRIPE, `PUT /admin/orders/${order.id}`, { as: admin.token, body })).status).toBe(200);
  await settlePayments(STRIPE);
  expect(await closings(order)).toBe(1);
});

const { bindings, received: emailsTo } = aSendingShop();

/** Edits an order to this quantity of its item, at the quoted total, and notifies the buyer. */
async function editTo(order: { id: number; items: { id: number }[] }, quantity: number, received = false) {
  const { token } = await aUser({ role: "admin" });
  const items = [{ id: order.items[0]?.id, quantity }];
  const path = `POST /admin/orders/${order.id}/edits`;
  const quote = await callWith(STRIPE, `${path}/quote`, { as: token, body: { items } });
  const body = { items, expected_total: quote.body.data.total, received, notify: true };
  const answer = await callWith({ ...STRIPE, ...bindings }, path, { as: token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

it("replaces the page when an edit changes the total, accepts the new total and returns the old", async () => {
  const { token, email } = await aUser();
  const { order } = await buy(STRIPE, { as: token });
  const edited = await editTo(order, 3);
  expect(edited).toMatchObject({ status: "pending", payment_status: "requires_action", total: 59.97 });
  expect(edited.payment.reference).not.toBe(order.payment.reference);
  expect(edited.payment.next_action.url).not.toBe(order.payment.next_action.url);
  await settlePayments(STRIPE);
  await followEvents({ ...env, ...STRIPE, ...bindings });
  const told = emailsTo(email).find(({ subject }) => subject === `Your order ${order.number} was changed`);
  expect(told?.text).toContain(edited.payment.next_action.url);
  expect(told?.text).not.toContain(order.payment.next_action.url);
  expect([await closings(order), await closings(edited)]).toEqual([1, 0]);
  // The buyer paid before the first payment page was closed.
  await tellStripe(STRIPE, { payload: stripeEvent("completed", { order, payment_intent: "pi_first" }) });
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", total: 5997 });
  await payByStripe(STRIPE, edited);
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentReference: `pi_${order.reference}` });
  expect(await refundsOf(order.id)).toMatchObject([{ payment: "pi_first", amount: 1999 }]);
});

it("keeps the page when an edit leaves the total unchanged", async () => {
  const { order } = await buy(STRIPE);
  expect((await editTo(order, 1)).payment).toEqual(order.payment);
});

it("refunds through Stripe the amount that an edit takes off, and never more than Stripe received", async () => {
  const { order } = await buy(STRIPE, { quantity: 2 });
  await payByStripe(STRIPE, order);
  await editTo(order, 1);
  expect(await refundsOf(order.id)).toMatchObject([{ payment: `pi_${order.reference}`, amount: 1999 }]);
  await editTo(order, 3, true);
  const admin = await aUser({ role: "admin" });
  const refund = await callWith(STRIPE, `POST /admin/orders/${order.id}/refunds`, { as: admin.token, body: {} });
  expect(refund.body.data).toMatchObject({ total: 59.97, refunded_total: 59.97, payment_status: "refunded" });
  expect((await refundsOf(order.id)).map(({ amount }) => amount)).toEqual([1999, 1999]);
  expect((await moneyOf(order.id)).map(({ amount }) => amount)).toEqual([-3998, 1999, -3998, 5997]);
});

it("asks nothing of Stripe when an order is paid or expires, or of PayPal", async () => {
  const [paid, expired, atPaypal] = [await buy(STRIPE), await buy(STRIPE), await buy(PAYPAL)];
  await payByStripe(STRIPE, paid.order);
  await expire(expired.order.id);
  await cancel(atPaypal.order.id, atPaypal.token, PAYPAL);
  await settlePayments({ ...STRIPE, ...PAYPAL });
  expect([await closings(paid.order), await closings(expired.order)]).toEqual([0, 0]);
  for (const { order } of [expired, atPaypal]) expect((await orderNow(order.id))?.paymentStatus).toBe("unpaid");
});
