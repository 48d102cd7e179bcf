import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { everyMinute } from "../../src/scheduled.ts";
import { callWith } from "../support/call.ts";
import { aUser } from "../support/shop.ts";
import { paypalAccount } from "./support/paypal.ts";
import { buy, expire, orderNow } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount } from "./support/stripe.ts";

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

it("closes it with the schedule when Stripe is out of reach, and once", async () => {
  const { order, token } = await buy(STRIPE);
  await script({ line: "POST /v1/checkout/sessions/", about: order.payment.reference, status: 503, times: 2 });
  expect((await cancel(order.id, token)).status).toBe(200);
  for (const minutes of [1, 3, 7]) await everyMinute({ ...env, ...STRIPE }, Date.now() + minutes * 60_000);
  expect(await closings(order)).toBe(3);
});

it("does not ask again where Stripe refuses, since the page was paid or has expired", async () => {
  const { order, token } = await buy(STRIPE);
  await script({ line: "POST /v1/checkout/sessions/", about: order.payment.reference, status: 400 });
  await cancel(order.id, token);
  await everyMinute({ ...env, ...STRIPE }, Date.now());
  expect(await closings(order)).toBe(1);
});

it("closes it when the money was taken by hand", async () => {
  const [admin, { order }] = [await aUser({ role: "admin" }), await buy(STRIPE)];
  const body = { payment_status: "paid" };
  expect((await callWith(STRIPE, `PUT /admin/orders/${order.id}`, { as: admin.token, body })).status).toBe(200);
  await everyMinute({ ...env, ...STRIPE }, Date.now());
  expect(await closings(order)).toBe(1);
});

it("asks nothing of Stripe when an order is paid or expires, nor of PayPal", async () => {
  const [paid, expired, atPaypal] = [await buy(STRIPE), await buy(STRIPE), await buy(PAYPAL)];
  await payByStripe(STRIPE, paid.order);
  await expire(expired.order.id);
  await cancel(atPaypal.order.id, atPaypal.token, PAYPAL);
  await everyMinute({ ...env, ...STRIPE, ...PAYPAL }, Date.now());
  expect([await closings(paid.order), await closings(expired.order)]).toEqual([0, 0]);
  for (const { order } of [expired, atPaypal]) expect((await orderNow(order.id))?.paymentStatus).toBe("unpaid");
});
