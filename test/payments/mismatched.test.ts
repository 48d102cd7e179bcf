import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aUser } from "../support/shop.ts";
import { captureOf, paypalAccount, paypalEvent, tellPaypal } from "./support/paypal.ts";
import { buy, orderNow, refundsOf, stateOf } from "./support/shop.ts";
import { sent } from "./support/stand-in.ts";
import { stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("mismatched");
const PAYPAL = paypalAccount("mismatched");

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
