import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { closePayments } from "../../src/checkout/payments/close-payments.ts";
import { syncDueSubscriptions } from "../../src/checkout/subscriptions/sync.ts";
import { orderLinkToken } from "../../src/platform/auth/order-link.ts";
import { emails, users } from "../../src/platform/db/schema.ts";
import { queueEventEmails } from "../../src/platform/email/follow.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { buy, packagesOf } from "../payments/support/shop.ts";
import { sent } from "../payments/support/stand-in.ts";
import { stripeAccount, tellStripe } from "../payments/support/stripe.ts";
import { callWith } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { aVisitor } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aUser, db, orderOf } from "../support/shop.ts";
import {
  anInvoice,
  aRenewingFont,
  aSubscription,
  bill,
  billedNow,
  billingEvent,
  forget,
  GRACE_MS,
  inDays,
  subscriptionNow,
  tell,
} from "./support.ts";

const STRIPE = stripeAccount("subscription-routes");
const ask = (line: string, as: string, body?: object) => callWith(STRIPE, line, { as, ...(body && { body }) });

/** A user's subscription whose first month is paid. */
async function aSubscriber() {
  const user = await aUser();
  const { order, product } = await buy(STRIPE, { product: await aRenewingFont(), as: user.token });
  const billed = aSubscription(order);
  await tell(STRIPE, "invoice.paid", billed);
  const id = Number((await subscriptionNow(billed))?.id);
  return { user, order, product, billed, id };
}

it("lists a buyer's subscriptions, and nobody else's", async () => {
  await aSubscriber();
  const { user, order, product, id } = await aSubscriber();
  const { body } = await ask("GET /account/subscriptions", user.token);
  expect(body.data).toMatchObject([
    {
      id,
      status: "active",
      product: { id: product.id, name: product.name },
      renews: "month",
      order_ids: [order.id],
      user_id: user.id,
      cancels_at: null,
    },
  ]);
  const other = await aUser();
  expect((await ask("GET /account/subscriptions", other.token)).body.data).toEqual([]);
  for (const verb of ["cancel", "portal"]) {
    expect((await ask(`POST /account/subscriptions/${id}/${verb}`, other.token, {})).status).toBe(404);
  }
  const found = await ask(`GET /admin/subscriptions?user_id=${user.id}&order_id=${order.id}`, await asAdministrator());
  expect(found.body.data).toMatchObject([{ id }]);
});

it("is cancelled by its buyer at the end of the paid period, with access until then", async () => {
  const { user, order, billed, id } = await aSubscriber();
  const { status, body } = await ask(`POST /account/subscriptions/${id}/cancel`, user.token, {});
  const cancels_at = new Date(billed.current_period_end * 1000).toISOString();
  expect([status, body.data]).toMatchObject([200, { status: "active", cancels_at, ended_at: null }]);
  expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: true, ended_at: null });
  const [held] = await packagesOf(order.id);
  expect(held?.expiresAt).toBeGreaterThan(billed.current_period_end * 1000);
});

it.each(["ended", "missing"])("is cancelled by its buyer after it is %s at Stripe, without an event", async (what) => {
  const { user, billed, id } = await aSubscriber();
  const gone = what === "ended" ? { ...billed, status: "canceled", ended_at: inDays(0) } : null;
  await (gone ? bill(gone) : forget(billed));
  const { status, body } = await ask(`POST /account/subscriptions/${id}/cancel`, user.token, {});
  expect([status, body.data.status]).toEqual([200, gone ? "cancelled" : "active"]);
});

it("opens the provider's page for the card of its buyer, which returns to the order", async () => {
  const { user, order, billed, id } = await aSubscriber();
  const { body } = await ask(`POST /account/subscriptions/${id}/portal`, user.token, {});
  expect(body.data).toEqual({ url: `https://billing.stripe.test/p/session/${billed.customer}` });
  const [request] = await sent(billed.customer, "POST /v1/billing_portal/sessions");
  expect(new URLSearchParams(request?.body).get("return_url")).toBe(`https://shop.test/orders/${order.reference}?paid`);
});

it("is ended at once by staff who may write orders, which the audit log says", async () => {
  const { billed, order, id } = await aSubscriber();
  const as = await asAdministrator();
  const { key } = await aKey({ permissions: ["orders:read"] });
  const now = { at_period_end: false };
  expect((await ask(`POST /admin/subscriptions/${id}/cancel`, key, now)).status).toBe(403);
  const { body } = await ask(`POST /admin/subscriptions/${id}/cancel`, as, now);
  expect(body.data).toMatchObject({ status: "cancelled", ended_at: expect.any(String) });
  expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
  const [held] = await packagesOf(order.id);
  expect(held?.expiresAt).toBeLessThanOrEqual(Date.now());
  const log = await ask(`GET /admin/audit-log?subject=order&subject_id=${order.id}`, as);
  expect(log.body.data).toMatchObject([{ action: "order.cancel_subscription", after: now }]);
  expect((await ask(`POST /admin/subscriptions/${id}/cancel`, as, now)).status).toBe(200);
});

describe("the link of a guest's order", () => {
  /** A guest's subscription whose first month is paid, with the token of the link in the e-mails. */
  async function aGuest(columns: Parameters<typeof aRenewingFont>[0] = {}) {
    const { key } = await aKey();
    const customer = { email: `${crypto.randomUUID()}@example.test`, name: "Sub Scriber" };
    const body = orderOf(await aRenewingFont(columns), 1, { payment_method: "credit_card", customer });
    const { data: order } = (await callWith(STRIPE, "POST /orders", { as: key, body })).body;
    const billed = aSubscription(order);
    await tell(STRIPE, "invoice.paid", billed);
    const token = orderLinkToken(readSettings(env).linkSecrets, { reference: order.reference, linkVersion: 0 });
    return { billed, token, customer };
  }

  it("cancels at the end of the paid period, once", async () => {
    const { billed, token } = await aGuest();
    const visitor = aVisitor();
    const page = `/account/order?token=${token}`;
    expect((await visitor.get(page)).html).toContain("jetzt kündigen");
    const { status, html } = await visitor.post("/account/order/cancel", { token: [token] }, {}, STRIPE);
    expect([status, html]).toEqual([200, expect.stringContaining("Subscription cancelled")]);
    expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: true, ended_at: null });
    const { html: after } = await visitor.get(page);
    expect(after).toContain("Ends on");
    expect(after).not.toContain("jetzt kündigen");
  });

  it("shows a storefront the state of the subscription", async () => {
    const { billed, token } = await aGuest();
    const current_period_end = new Date(billed.current_period_end * 1000).toISOString();
    const shown = async () => (await callWith(STRIPE, "POST /orders/link", { body: { token } })).body.data.subscription;
    const product = { id: expect.any(Number), name: expect.any(String) };
    expect(await shown()).toEqual({ status: "active", product, current_period_end, cancels_at: null });
    await tell(STRIPE, "customer.subscription.updated", { ...billed, cancel_at_period_end: true });
    expect(await shown()).toMatchObject({ status: "active", cancels_at: current_period_end });
  });

  it("opens the provider's form for another card, and nothing else of its page", async () => {
    const { billed, token } = await aGuest();
    const { html } = await aVisitor().post("/account/order/card", { token: [token] }, {}, STRIPE);
    expect(html).toContain(`https://billing.stripe.test/p/session/${billed.customer}`);
    const [request] = await sent(billed.customer, "POST /v1/billing_portal/sessions");
    expect(new URLSearchParams(request?.body).get("flow_data[type]")).toBe("payment_method_update");
  });

  it("can be ended by its owner, also if it leads to the subscription alone", async () => {
    const { billed, token, customer } = await aGuest({ license: null, fileIds: [] });
    expect((await aVisitor().get(`/account/order?token=${token}`)).html).toContain("Replace the link");
    expect((await callWith(STRIPE, "POST /orders/link/rotate", { body: { token } })).status).toBe(200);
    const { status } = await aVisitor().post("/account/order/cancel", { token: [token] }, {}, STRIPE);
    expect([status, await billedNow(billed.id)]).toMatchObject([404, { cancel_at_period_end: false }]);
    const [letter] = (await delivered(customer.email)).filter(({ text }) => text.includes("token="));
    expect(
      (await callWith(STRIPE, "POST /orders/link", { body: { token: tokenIn(letter ?? { text: "" }) } })).status,
    ).toBe(200);
  });

  it("changes no subscription if the token is not the link's", async () => {
    const { billed, token } = await aGuest();
    for (const verb of ["cancel", "card"]) {
      const { status } = await aVisitor().post(`/account/order/${verb}`, { token: [`${token}x`] }, {}, STRIPE);
      expect(status).toBe(404);
    }
    expect(await billedNow(billed.id)).toMatchObject({ cancel_at_period_end: false });
  });
});

it("ends with the account of its buyer", async () => {
  const { user, billed } = await aSubscriber();
  await db
    .update(users)
    .set({ eraseAt: inDays(8) * 1000 })
    .where(eq(users.id, user.id));
  await eraseDueAccounts(env, db, inDays(9) * 1000);
  expect(await db.select().from(users).where(eq(users.id, user.id)).get()).toMatchObject({ name: "Erased account" });
  await closePayments({ db, settings: readSettings({ ...env, ...STRIPE }) }, inDays(9) * 1000);
  expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
});

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
