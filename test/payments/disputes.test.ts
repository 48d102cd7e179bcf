import { and, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { events, licenseKeys } from "../../src/platform/db/schema.ts";
import {
  anInvoice,
  aRenewingFont,
  aSubscription,
  billedNow,
  inDays,
  ordersOf,
  subscriptionNow,
  tell,
} from "../subscriptions/support.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LICENSE } from "../support/license-keys.ts";
import { aFile, aProduct, aUser, db } from "../support/shop.ts";
import { buy, moneyOf, orderNow, packagesOf, refundsOf } from "./support/shop.ts";
import { sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("disputes");

let sentEvents = 0;

/** Stripe's event about a dispute of a payment: https://docs.stripe.com/api/disputes/object */
const dispute = (payment_intent: string | null, type: "created" | "closed", more: Record<string, unknown> = {}) => {
  const status = type === "created" ? "needs_response" : "lost";
  const object = { id: `du_${payment_intent}`, object: "dispute", amount: 1999, currency: "usd", reason: "fraudulent" };
  const data = { object: { ...object, charge: "ch_1", payment_intent, status, ...more } };
  const payload = { id: `evt_dispute_${++sentEvents}`, object: "event", type: `charge.dispute.${type}`, data };
  return tellStripe(STRIPE, { payload: JSON.stringify(payload) });
};

const keysOf = (orderId: number) => db.select().from(licenseKeys).where(eq(licenseKeys.orderId, orderId)).all();

/** A paid order of a font with a file and a license key. */
async function aPaidFont() {
  const files = { fileIds: [(await aFile()).id] };
  const product = await aProduct({ type: "digital", stock: null, price: 1999, license: LICENSE, ...files });
  const bought = await buy(STRIPE, { product });
  await payByStripe(STRIPE, bought.order);
  return { ...bought, id: Number(bought.order.id), payment: `pi_${bought.order.reference}` };
}

const stepsOf = async (id: number, as: string) =>
  (await call(`GET /account/orders/${id}`, { as })).body.data.history
    .map(({ kind, note }: { kind: string; note: string | null }) => `${kind}: ${note}`)
    .filter((step: string) => /^(dispute|refund)/.test(step));

it("notes a dispute once and ends nothing while it is open, nor if the shop wins", async () => {
  const { id, token, payment } = await aPaidFont();
  await Promise.all([dispute(payment, "created"), dispute(payment, "created")]);
  expect(await stepsOf(id, token)).toEqual(["dispute_opened: fraudulent"]);
  await dispute(payment, "closed", { status: "won" });
  await dispute(payment, "closed", { status: "won" });
  expect(await stepsOf(id, token)).toEqual(["dispute_opened: fraudulent", "dispute_closed: fraudulent"]);
  expect(await orderNow(id)).toMatchObject({ status: "completed", refundedTotal: 0 });
  expect(await keysOf(id)).toMatchObject([{ revokedAt: null }]);
  const published = await db.$count(events, and(eq(events.type, "order.disputed"), eq(events.subject, `order:${id}`)));
  expect(published).toBe(1);
});

it("counts a lost dispute as a refund that ends keys and downloads, and asks Stripe for none", async () => {
  const { id, order, token, payment } = await aPaidFont();
  await dispute(payment, "created");
  await Promise.all([dispute(payment, "closed"), dispute(payment, "closed")]);
  await dispute(payment, "closed");
  expect(await orderNow(id)).toMatchObject({ status: "refunded", paymentStatus: "refunded", refundedTotal: 1999 });
  expect(await keysOf(id)).toMatchObject([{ revokedAt: expect.any(Number) }]);
  expect(await packagesOf(id)).toMatchObject([{ revokedAt: expect.any(Number) }]);
  expect(await refundsOf(id)).toMatchObject([{ amount: 1999, reference: `du_${payment}` }]);
  expect(await moneyOf(id)).toEqual([
    { kind: "charge", method: "credit_card", amount: -1999 },
    { kind: "refund", method: "credit_card", amount: 1999 },
  ]);
  expect((await stepsOf(id, token)).at(-1)).toContain("refund: Dispute lost: fraudulent");
  expect(await sent(`pi_${order.reference}`, "POST /v1/refunds")).toEqual([]);
  expect(await brokenInvariants()).toEqual({});
});

it("refunds the amount of a dispute about a part, and no more than is left", async () => {
  const { id, payment } = await aPaidFont();
  await dispute(payment, "closed", { amount: 500 });
  expect(await orderNow(id)).toMatchObject({
    status: "completed",
    paymentStatus: "partially_refunded",
    refundedTotal: 500,
  });
  expect(await keysOf(id)).toMatchObject([{ revokedAt: null }]);
  await dispute(payment, "closed", { id: "du_second" });
  expect(await orderNow(id)).toMatchObject({ status: "refunded", refundedTotal: 1999 });
  await dispute(payment, "closed", { id: "du_third" });
  expect(await orderNow(id)).toMatchObject({ refundedTotal: 1999 });
  expect(await brokenInvariants()).toEqual({});
});

it("notes a lost dispute of redeemed gift cards, which no refund can take back", async () => {
  const bought = await buy(STRIPE, { product: await aProduct({ type: "gift_card", stock: null, price: 1999 }) });
  await payByStripe(STRIPE, bought.order);
  const [{ code }] = (await call(`GET /account/gift-cards?order_id=${bought.order.id}`, { as: bought.token })).body
    .data;
  await call("POST /account/gift-cards/redeem", { as: (await aUser()).token, body: { code } });
  expect((await dispute(`pi_${bought.order.reference}`, "closed")).status).toBe(200);
  expect(await orderNow(bought.order.id)).toMatchObject({ refundedTotal: 0 });
  expect((await stepsOf(bought.order.id, bought.token)).at(-1)).toContain("No refund was recorded");
});

it("ends what is left on gift cards whose payment the bank returned, also if another card of the order was redeemed", async () => {
  const product = await aProduct({ type: "gift_card", stock: null, price: 1999 });
  const { order, token } = await buy(STRIPE, { product, quantity: 2 });
  await payByStripe(STRIPE, order);
  const cards = (await call(`GET /account/gift-cards?order_id=${order.id}`, { as: token })).body.data;
  const redeem = async (card: { code: string }, amount?: number) =>
    call("POST /account/gift-cards/redeem", { as: (await aUser()).token, body: { code: card.code, amount } });
  expect((await redeem(cards[0], toDecimal(500))).status).toBe(201);
  await dispute(`pi_${order.reference}`, "closed", { amount: 2 * 1999 });
  for (const card of cards) {
    const { status, body } = await redeem(card);
    expect([status, body.details?.[0].code]).toEqual([400, "gift_card_ended"]);
  }
  expect(await brokenInvariants()).toEqual({});
});

it("ends a renewed month by the dispute of its own payment, and renews no more", async () => {
  const bought = await buy(STRIPE, { product: await aRenewingFont() });
  const billed = aSubscription(bought.order);
  await tell(STRIPE, "invoice.paid", billed);
  const invoice = anInvoice({ period_end: inDays(60) });
  billed.invoices.push(invoice);
  billed.current_period_end = invoice.period_end;
  await tell(STRIPE, "invoice.paid", billed);
  const [, second = 0] = await ordersOf(billed);
  for (const more of [{ id: "du_won", status: "won" }, { status: "needs_response" }]) {
    await dispute(invoice.payment_intent ?? "", more.id ? "closed" : "created", more);
  }
  expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: false });
  await dispute(invoice.payment_intent ?? "", "closed");
  expect(await orderNow(second)).toMatchObject({ status: "refunded" });
  expect(await orderNow(bought.order.id)).toMatchObject({ status: "completed" });
  expect(await keysOf(bought.order.id)).toMatchObject([{ expiresAt: expect.any(Number), revokedAt: null }]);
  expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: true, ended_at: null });
  expect(await subscriptionNow(billed)).toMatchObject({ cancelsAt: invoice.period_end * 1000, endedAt: null });
  expect(await brokenInvariants()).toEqual({});
});

it("ignores disputes of other payments of the account, and a signature of another account", async () => {
  for (const payment of ["pi_of_another_shop", null]) expect((await dispute(payment, "closed")).status).toBe(200);
  const { id, payment } = await aPaidFont();
  const data = {
    object: { id: "du_forged", payment_intent: payment, amount: 1999, currency: "usd", status: "lost", reason: "x" },
  };
  const payload = JSON.stringify({ id: "evt_forged", type: "charge.dispute.closed", data });
  expect((await tellStripe(STRIPE, { payload, secret: "whsec_other" })).status).toBe(400);
  expect(await orderNow(id)).toMatchObject({ refundedTotal: 0 });
});
