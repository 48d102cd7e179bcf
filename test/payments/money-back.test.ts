import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { approval, captureOf, paypalAccount, paypalEvent, tellPaypal } from "./support/paypal.ts";
import { buy, expire, moneyOf, orderNow, refundsOf, settlePayments, stateOf, stockOf } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("back");
const PAYPAL = paypalAccount("back");

type Order = Parameters<typeof payByStripe>[1] & { id: number; payment: { reference: string } };

/** The two providers, which differ only in the words they use. */
const providers = [
  {
    secrets: STRIPE,
    method: "credit_card",
    pay: (order: Order) => payByStripe(STRIPE, order),
    charge: (order: Order) => payByStripe(STRIPE, order),
    refundsAt: async ({ reference }: Order) =>
      (await sent(`pi_${reference}`, "POST /v1/refunds")).map(({ headers, body }) => {
        const { payment_intent, amount } = Object.fromEntries(new URLSearchParams(body));
        return { key: headers["idempotency-key"], payment: payment_intent, amount };
      }),
    refund: ({ reference }: Order, id: number) => ({
      key: `refund-${reference}-${id}`,
      payment: `pi_${reference}`,
      amount: "1999",
    }),
    failRefund: ({ reference }: Order) =>
      script({ line: "POST /v1/refunds", about: `pi_${reference}`, status: 503, times: 2 }),
    tries: 2,
  },
  {
    secrets: PAYPAL,
    method: "paypal",
    pay: (order: Order) => tellPaypal(PAYPAL, approval(order)),
    // The order changed between the question and the capture.
    charge: (order: Order) => tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order))),
    refundsAt: async ({ payment }: Order) =>
      (await sent(`CAP-${payment.reference}`, "POST /v2/payments/captures/")).map(({ line, headers, body }) => ({
        key: headers["paypal-request-id"],
        payment: line,
        amount: JSON.parse(body).amount,
      })),
    refund: ({ reference, payment }: Order, id: number) => ({
      key: `refund-${reference}-${id}`,
      payment: `POST /v2/payments/captures/CAP-${payment.reference}/refund`,
      amount: { currency_code: "USD", value: "19.99" },
    }),
    failRefund: ({ payment }: Order) =>
      script({ line: "POST /v2/payments/captures/", about: `CAP-${payment.reference}`, status: 503 }),
    tries: 1,
  },
] as const;

describe.each(providers)("$method", ({ secrets, method, pay, charge, refundsAt, refund, failRefund, tries }) => {
  const charged = { kind: "charge", method, amount: -1999 };
  const refunded = { kind: "refund", method, amount: 1999 };
  let later = 0;
  /** Runs the schedule at a time when failed items are due again. */
  const runSchedule = () => {
    later += 61 * 60_000;
    return settlePayments(secrets, Date.now() + later);
  };
  const cancel = (order: Order, as: string) => callWith(secrets, `POST /account/orders/${order.id}/cancel`, { as });

  it("reserves the stock of an expired order again for a late payment", async () => {
    const { order, product } = await buy(secrets);
    await expire(order.id);
    expect(await stockOf(product)).toBe(10);
    expect((await pay(order)).status).toBe(200);
    expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
    expect(await stockOf(product)).toBe(9);
    expect(await moneyOf(order.id)).toEqual([charged]);
    expect(await refundsAt(order)).toEqual([]);
  });

  it("returns a late payment if the stock is gone, once, and leaves the order expired", async () => {
    const { order, product } = await buy(secrets, { product: await aProduct({ price: 1999, stock: 1 }) });
    await expire(order.id);
    const other = await aUser({ wallet: 5000 });
    expect((await call("POST /orders", { as: other.token, body: orderOf(product) })).status).toBe(201);
    expect((await charge(order)).status).toBe(200);
    expect((await orderNow(order.id))?.status).toBe("expired");
    expect(await moneyOf(order.id)).toEqual([charged, refunded]);
    const [row] = await refundsOf(order.id);
    expect(row?.reference).toMatch(/^re_|^RF/);
    expect(await refundsAt(order)).toEqual([refund(order, row?.id ?? 0)]);
    const after = await stateOf(order.id, product);
    expect((await charge(order)).status).toBe(200);
    await runSchedule();
    expect(await stateOf(order.id, product)).toEqual(after);
    expect(await refundsAt(order)).toHaveLength(1);
  });

  it("returns the money of a cancelled order, once", async () => {
    const { order, product, token } = await buy(secrets);
    expect((await cancel(order, token)).body.data.status).toBe("cancelled");
    expect((await charge(order)).status).toBe(200);
    expect((await charge(order)).status).toBe(200);
    expect(await orderNow(order.id)).toMatchObject({ status: "cancelled", paymentUrl: null });
    expect(await moneyOf(order.id)).toEqual([charged, refunded]);
    expect(await refundsAt(order)).toHaveLength(1);
    expect(await stockOf(product)).toBe(10);
  });

  it("refunds a paid order when it is cancelled, once", async () => {
    const { order, product, token } = await buy(secrets);
    await pay(order);
    const { body } = await cancel(order, token);
    expect(body.data).toMatchObject({ status: "cancelled", payment_status: "refunded", refunded_total: 19.99 });
    expect(await moneyOf(order.id)).toEqual([charged, refunded]);
    expect(await stockOf(product)).toBe(10);
    const [row] = await refundsOf(order.id);
    expect(await refundsAt(order)).toEqual([refund(order, row?.id ?? 0)]);
    expect((await cancel(order, token)).status).toBe(409);
    await pay(order);
    await runSchedule();
    expect(await refundsAt(order)).toHaveLength(1);
  });

  it("retries a failed refund with the same id in the next run of the schedule", async () => {
    const { order, token } = await buy(secrets);
    await pay(order);
    await failRefund(order);
    expect((await cancel(order, token)).status).toBe(200);
    const [unsent] = await refundsOf(order.id);
    expect(unsent).toMatchObject({ reference: null, amount: 1999 });
    await runSchedule();
    expect((await refundsOf(order.id))[0]?.reference).toMatch(/^re_|^RF/);
    const asked = await refundsAt(order);
    expect(asked).toEqual(Array(tries + 1).fill(refund(order, unsent?.id ?? 0)));
  });

  it("postpones a refund while the provider is off", async () => {
    const { order, token } = await buy(secrets);
    await pay(order);
    expect((await call(`POST /account/orders/${order.id}/cancel`, { as: token })).status).toBe(200);
    await settlePayments({});
    expect(await refundsAt(order)).toEqual([]);
    await runSchedule();
    expect(await refundsAt(order)).toHaveLength(1);
  });
});

it("distinguishes one order's two PayPal events from two payments when the money is returned", async () => {
  const { order, product, token } = await buy(PAYPAL);
  await callWith(PAYPAL, `POST /account/orders/${order.id}/cancel`, { as: token });
  await tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order)));
  const after = await stateOf(order.id, product);
  expect(after.refunds).toHaveLength(1);
  await tellPaypal(PAYPAL, approval(order));
  expect(await stateOf(order.id, product)).toEqual(after);
});

it("returns the second of two payments for one order", async () => {
  const { order } = await buy(STRIPE);
  await payByStripe(STRIPE, order);
  const payment_intent = `pi_second_${order.reference}`;
  await tellStripe(STRIPE, { payload: stripeEvent("completed", { order, payment_intent }) });
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentReference: `pi_${order.reference}` });
  expect((await moneyOf(order.id)).map(({ amount }) => amount)).toEqual([-1999, -1999, 1999]);
  expect(await sent(payment_intent, "POST /v1/refunds")).toHaveLength(1);
});

it("leaves a refund that the provider reports as failed to the next run", async () => {
  const { order, token } = await buy(STRIPE);
  await payByStripe(STRIPE, order);
  await script({
    line: "POST /v1/refunds",
    about: `pi_${order.reference}`,
    status: 200,
    body: { id: "re_f", status: "failed" },
  });
  await callWith(STRIPE, `POST /account/orders/${order.id}/cancel`, { as: token });
  const unsent = await db.select().from(tables.refunds).where(eq(tables.refunds.orderId, order.id)).get();
  expect(unsent?.reference).toBeNull();
  await settlePayments(STRIPE);
  expect((await refundsOf(order.id))[0]?.reference).toMatch(/^re_\d/);
});
