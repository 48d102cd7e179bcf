import { expect, it } from "vitest";
import { shopCurrency, toDecimal } from "../../src/domain/money.ts";
import { paypalAccount } from "../payments/support/paypal.ts";
import { buy, refundsOf } from "../payments/support/shop.ts";
import { payByStripe, stripeAccount } from "../payments/support/stripe.ts";
import { callWith } from "../support/call.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const STRIPE = stripeAccount("currencies");
const PAYPAL = paypalAccount("currencies");

/** Providers, and whether each accepts 1505 and 1500 minor units. */
const taken: Record<string, Record<"credit_card" | "paypal", [odd: boolean, round: boolean]>> = {
  USD: { credit_card: [true, true], paypal: [true, true] },
  JPY: { credit_card: [true, true], paypal: [true, true] },
  // KWD: card payments accept multiples of ten minor units, and PayPal does not support it.
  KWD: { credit_card: [false, true], paypal: [false, false] },
};

it.each([
  ["credit_card", STRIPE],
  ["paypal", PAYPAL],
] as const)(
  "an amount that the provider of %s does not take is refused before anything is written",
  async (method, secrets) => {
    const [odd, round] = taken[shopCurrency()]?.[method] ?? [];
    for (const [price, isTaken] of [
      [1505, odd],
      [1500, round],
    ] as const) {
      const [{ token }, product] = [await aUser(), await aProduct({ price })];
      const body = orderOf(product, 1, { payment_method: method });
      const answer = await callWith(secrets, "POST /orders", { as: token, body });
      if (isTaken) expect(answer.status).toBe(201);
      else expectRefusal(answer, 400, "payment_method");
      const { body: orders } = await callWith(secrets, "GET /account/orders", { as: token });
      expect(orders.data).toHaveLength(isTaken ? 1 : 0);
    }
  },
);

it("a refund that Stripe could never pay is refused when it is requested", async () => {
  const isTakenOdd = taken[shopCurrency()]?.credit_card[0];
  const { order } = await buy(STRIPE, { product: await aProduct({ price: 1500 }) });
  await payByStripe(STRIPE, order);
  const { token } = await aUser({ role: "admin" });
  const refund = (minor: number) =>
    callWith(STRIPE, `POST /admin/orders/${order.id}/refunds`, { as: token, body: { amount: toDecimal(minor) } });
  const odd = await refund(105);
  if (isTakenOdd) expect(odd.status).toBe(200);
  else expectRefusal(odd, 400, "amount");
  expect((await refund(110)).status).toBe(200);
  expect((await refundsOf(order.id)).map(({ amount }) => amount)).toEqual(isTakenOdd ? [105, 110] : [110]);
});
