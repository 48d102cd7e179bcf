import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { syncDueSubscriptions } from "../../src/checkout/subscriptions/sync.ts";
import { emails } from "../../src/platform/db/schema.ts";
import { queueEventEmails } from "../../src/platform/email/follow.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { buy } from "../payments/support/shop.ts";
import { stripeAccount, tellStripe } from "../payments/support/stripe.ts";
import { db } from "../support/shop.ts";
import { anInvoice, aRenewingFont, aSubscription, bill, billingEvent, GRACE_MS, inDays, tell } from "./support.ts";

const STRIPE = stripeAccount("renewal-emails");
const shop = { env, db, settings: readSettings({ ...env, ...STRIPE }) };

/** E-mails about subscriptions since the last call, oldest first. */
async function written() {
  await queueEventEmails(db, Date.now());
  const rows = await db.select().from(emails).orderBy(emails.id);
  await db.delete(emails);
  return rows
    .filter(({ template }) => /renew|subscription/.test(template))
    .map(({ template, orderId, params }) => ({ template, orderId, params }));
}

beforeEach(written);

const iso = (ms: number) => new Date(ms).toISOString();

async function aPaidFont(renews: "month" | "year" = "month", days = 30) {
  const bought = await buy(STRIPE, { product: await aRenewingFont({ renews }) });
  const billed = aSubscription(bought.order, {
    current_period_start: inDays(days - (renews === "year" ? 365 : 30)),
    current_period_end: inDays(days),
    invoices: [anInvoice({ period_end: inDays(days) })],
  });
  await tell(STRIPE, "invoice.paid", billed);
  return { ...bought, billed };
}

it("tells the buyer once that a renewal failed, and until when access lasts", async () => {
  const { order, billed } = await aPaidFont();
  const accessUntil = iso(billed.current_period_end * 1000 + GRACE_MS);
  Object.assign(billed, { status: "past_due", current_period_start: inDays(30), current_period_end: inDays(60) });
  await tell(STRIPE, "invoice.payment_failed", billed);
  await tell(STRIPE, "customer.subscription.updated", billed);
  expect(await written()).toEqual([{ template: "renewal_failed", orderId: order.id, params: { accessUntil } }]);
  await syncDueSubscriptions(shop, inDays(1) * 1000);
  expect(await written()).toEqual([]);
});

it("reminds the buyer of a year once, from 40 days before it renews, even if no event comes", async () => {
  const { order, billed } = await aPaidFont("year", 41);
  expect(await written()).toEqual([]);
  Object.assign(billed, { current_period_end: inDays(39) });
  await bill(billed);
  await syncDueSubscriptions(shop, inDays(0.5) * 1000);
  expect(await written()).toEqual([]);
  await syncDueSubscriptions(shop, inDays(1.1) * 1000);
  await tell(STRIPE, "customer.subscription.updated", billed);
  const renewsAt = iso(billed.current_period_end * 1000);
  expect(await written()).toEqual([{ template: "subscription_renewing", orderId: order.id, params: { renewsAt } }]);
});

it("reminds nobody of a month, nor of a year that does not renew", async () => {
  await aPaidFont("month", 5);
  const { billed } = await aPaidFont("year", 41);
  Object.assign(billed, { current_period_end: inDays(39), cancel_at_period_end: true });
  await tell(STRIPE, "customer.subscription.updated", billed);
  expect((await written()).map(({ template }) => template)).toEqual(["subscription_cancelled"]);
});

it("confirms a cancellation once, with the time at which it arrived and the end, under every order of events", async () => {
  const { order, billed } = await aPaidFont();
  const before = billingEvent("customer.subscription.updated", billed);
  const cancelledAt = inDays(0) - 60;
  Object.assign(billed, { cancel_at_period_end: true, canceled_at: cancelledAt });
  await tell(STRIPE, "customer.subscription.updated", billed);
  const endsAt = iso(billed.current_period_end * 1000);
  const confirmed = { template: "subscription_cancelled", orderId: order.id };
  expect(await written()).toEqual([{ ...confirmed, params: { cancelledAt: iso(cancelledAt * 1000), endsAt } }]);
  await tellStripe(STRIPE, { payload: before });
  await tell(STRIPE, "customer.subscription.updated", billed);
  Object.assign(billed, { status: "canceled", ended_at: billed.current_period_end });
  await tell(STRIPE, "customer.subscription.deleted", billed);
  expect(await written()).toEqual([]);
});

it("confirms a cancellation that it learns only from the end, and one for an earlier end again", async () => {
  const late = await aPaidFont();
  const [cancelled, end] = [inDays(0) - 60, inDays(0)];
  const ended = { status: "canceled", canceled_at: cancelled, ended_at: end };
  await tell(STRIPE, "customer.subscription.deleted", { ...late.billed, ...ended });
  const params = { cancelledAt: iso(cancelled * 1000), endsAt: iso(end * 1000) };
  expect(await written()).toEqual([{ template: "subscription_cancelled", orderId: late.order.id, params }]);
  const { order, billed } = await aPaidFont();
  await tell(STRIPE, "customer.subscription.updated", {
    ...billed,
    cancel_at_period_end: true,
    canceled_at: cancelled,
  });
  await tell(STRIPE, "customer.subscription.updated", billed);
  expect(await written()).toHaveLength(1);
  await tell(STRIPE, "customer.subscription.updated", {
    ...billed,
    cancel_at_period_end: true,
    canceled_at: cancelled,
  });
  await tell(STRIPE, "customer.subscription.deleted", { ...billed, cancel_at_period_end: true, ...ended });
  const ends = (await written()).map(({ orderId, params: { endsAt } }) => [orderId, endsAt]);
  expect(ends).toEqual([iso(billed.current_period_end * 1000), iso(end * 1000)].map((at) => [order.id, at]));
});
