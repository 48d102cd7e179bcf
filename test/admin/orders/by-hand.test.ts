import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { everyMinute } from "../../../src/scheduled.ts";
import { approval, captureOf, paypalAccount, paypalEvent, tellPaypal } from "../../payments/support/paypal.ts";
import { buy, moneyOf, orderNow, refundsOf, stockOf } from "../../payments/support/shop.ts";
import { sent } from "../../payments/support/stand-in.ts";
import { payByStripe, stripeAccount } from "../../payments/support/stripe.ts";
import { entriesOf } from "../../support/administration.ts";
import { callWith } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { anAdministrator } from "./support.ts";

const anAdmin = shared(() => anAdministrator());

const STRIPE = stripeAccount("hand");
const PAYPAL = paypalAccount("hand");

type Order = Parameters<typeof payByStripe>[1] & { id: number; payment: { reference: string } };

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
});

/** The two providers, which differ only in the words they use. */
const providers = [
  {
    secrets: STRIPE,
    method: "credit_card",
    pay: (order: Order) => payByStripe(STRIPE, order),
    charge: (order: Order) => payByStripe(STRIPE, order),
    refundsAt: ({ reference }: Order) => sent(`pi_${reference}`, "POST /v1/refunds"),
  },
  {
    secrets: PAYPAL,
    method: "paypal",
    pay: (order: Order) => tellPaypal(PAYPAL, approval(order)),
    // The order changed between the check and the capture.
    charge: (order: Order) => tellPaypal(PAYPAL, paypalEvent("PAYMENT.CAPTURE.COMPLETED", captureOf(order))),
    refundsAt: ({ payment }: Order) => sent(`CAP-${payment.reference}`, "POST /v2/payments/captures/"),
  },
] as const;

describe.each(providers)("$method", ({ secrets, method, pay, charge, refundsAt }) => {
  const charged = { kind: "charge", method, amount: -1999 };
  const refunded = { kind: "refund", method, amount: 1999 };
  const ask = (line: string, body: unknown) => callWith(secrets, line, { as: admin.token, body });
  const change = ({ id }: Order, body: unknown) => ask(`PUT /admin/orders/${id}`, body);
  const refund = ({ id }: Order, body: unknown = {}) => ask(`POST /admin/orders/${id}/refunds`, body);

  it("clears the provider of an order that was paid by hand, and requests no refund from it", async () => {
    const { order, product } = await buy(secrets);
    expect(order.payment).toMatchObject({ reference: expect.any(String), next_action: { type: "redirect" } });
    const { body } = await change(order, { payment_status: "paid", note: "By transfer" });
    expect(body.data.payment).toMatchObject({ provider: null, reference: null, next_action: null });
    expect((await refund(order, { restock: true })).body.data.status).toBe("refunded");
    await everyMinute({ ...env, ...secrets }, Date.now());
    expect(await refundsOf(order.id)).toEqual([]);
    expect(await refundsAt(order)).toEqual([]);
    expect(await moneyOf(order.id)).toEqual([charged, refunded]);
    expect(await stockOf(product)).toBe(10);
  });

  it("returns money that the provider collects after all, and leaves the order unchanged", async () => {
    const { order, product } = await buy(secrets);
    await change(order, { payment_status: "paid" });
    const before = await orderNow(order.id);
    expect((await charge(order)).status).toBe(200);
    expect((await charge(order)).status).toBe(200);
    expect(await orderNow(order.id)).toEqual({ ...before, updatedAt: expect.any(Number) });
    expect(await moneyOf(order.id)).toEqual([charged, charged, refunded]);
    expect(await refundsAt(order)).toHaveLength(1);
    expect(await stockOf(product)).toBe(9);
    expect(await brokenInvariants()).toEqual({});
  });

  it("refunds in part and in full through the provider that was paid, at once", async () => {
    const { order } = await buy(secrets, { quantity: 2 });
    await pay(order);
    const items = [{ id: order.items[0].id, quantity: 1 }];
    expect((await refund(order, { items })).body.data.payment_status).toBe("partially_refunded");
    expect(await refundsAt(order)).toHaveLength(1);
    expect((await change(order, { status: "refunded" })).body.data.refunded_total).toBe(39.98);
    expect(await refundsAt(order)).toHaveLength(2);
    for (const { amount, reference } of await refundsOf(order.id)) {
      expect([amount, reference]).toEqual([1999, expect.any(String)]);
    }
  });

  it("returns the money of a cancelled order through the provider", async () => {
    const { order, product } = await buy(secrets);
    await pay(order);
    expect((await change(order, { status: "cancelled" })).body.data.payment_status).toBe("refunded");
    expect(await refundsAt(order)).toHaveLength(1);
    expect(await stockOf(product)).toBe(10);
  });

  it("keeps the provider's names out of the audit log", async () => {
    const { order } = await buy(secrets);
    await change(order, { payment_status: "paid" });
    expect(JSON.stringify(await entriesOf(order.id))).not.toContain(order.payment.reference);
  });
});
