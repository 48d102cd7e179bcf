import { expect, it } from "vitest";
import { permissions } from "../../src/platform/auth/roles.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, orderOf } from "../support/shop.ts";
import { captureOf, paypalAccount, paypalEvent, tellPaypal } from "./support/paypal.ts";
import { buy, stateOf } from "./support/shop.ts";
import { payByStripe, stripeAccount } from "./support/stripe.ts";

const STRIPE = stripeAccount("other-methods");
const PAYPAL = paypalAccount("other-methods");

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
