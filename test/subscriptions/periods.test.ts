import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { closePayments } from "../../src/checkout/payments/close-payments.ts";
import { licenseKeys, users } from "../../src/platform/db/schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { buy, moneyOf, orderNow, packagesOf } from "../payments/support/shop.ts";
import { stripeAccount } from "../payments/support/stripe.ts";
import { call, callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { anInvoice, aRenewingFont, aSubscription, billedNow, GRACE_MS, inDays, ordersOf, tell } from "./support.ts";

const STRIPE = stripeAccount("periods");
const shop = { env, db, settings: readSettings({ ...env, ...STRIPE }) };

const keyOf = (orderId: number) => db.select().from(licenseKeys).where(eq(licenseKeys.orderId, orderId)).get();

async function refund(order: number) {
  const sent = { as: await asAdministrator(), body: { restock: false } };
  const { status, body } = await callWith(STRIPE, `POST /admin/orders/${order}/refunds`, sent);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** A subscription whose first months are paid, with their orders. */
async function aSubscriber(months: number, product?: Awaited<ReturnType<typeof aProduct>>, amount_paid = 1999) {
  const bought = await buy(STRIPE, { product: product ?? (await aRenewingFont()) });
  const invoices = Array.from({ length: months }, (_, n) =>
    anInvoice({ period_end: inDays(30 * (n + 1)), amount_paid }),
  );
  const billed = aSubscription(bought.order, { invoices, current_period_end: inDays(30 * months) });
  const { status, body } = await tell(STRIPE, "invoice.paid", billed);
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...bought, billed, orders: await ordersOf(billed) };
}

/** True if the subscription was ended at Stripe, once the schedule has run. */
async function hasEnded({ billed }: Awaited<ReturnType<typeof aSubscriber>>): Promise<boolean> {
  await closePayments(shop, Date.now() + 2000);
  return (await billedNow(billed.id)).status === "canceled";
}

it("keeps the key of a subscription whose first month is refunded, as long as a later month is paid", async () => {
  const subscriber = await aSubscriber(2);
  const [first = 0, second = 0] = subscriber.orders;
  await refund(first);
  const [, later] = subscriber.billed.invoices;
  const expiresAt = (later?.period_end ?? 0) * 1000 + GRACE_MS;
  expect(await keyOf(first)).toMatchObject({ revokedAt: null, expiresAt });
  expect(await packagesOf(first)).toMatchObject([{ revokedAt: expect.any(Number) }]);
  expect(await packagesOf(second)).toMatchObject([{ revokedAt: null }]);
  expect(await hasEnded(subscriber)).toBe(false);
  await refund(second);
  expect((await keyOf(first))?.expiresAt).toBeLessThanOrEqual(Date.now());
  expect(await hasEnded(subscriber)).toBe(true);
  expect(await brokenInvariants()).toEqual({});
});

it("charges nobody again for a key that a refund has revoked", async () => {
  const subscriber = await aSubscriber(1);
  await refund(subscriber.order.id);
  expect(await keyOf(subscriber.order.id)).toMatchObject({ revokedAt: expect.any(Number) });
  expect(await hasEnded(subscriber)).toBe(true);
});

it("charges nobody again for goods that the buyer has cancelled", async () => {
  const subscriber = await aSubscriber(1, await aProduct({ price: 1999, renews: "month" }));
  const { order, token } = subscriber;
  expect((await callWith(STRIPE, `POST /account/orders/${order.id}/cancel`, { as: token })).status).toBe(200);
  expect(await hasEnded(subscriber)).toBe(true);
});

it("books each month of goods at what was charged, shipping included", async () => {
  await settleShop({ homeCountry: "GB" });
  await aShippingMethod({ price: 500 });
  const { orders } = await aSubscriber(2, await aProduct({ price: 1999, renews: "month" }), 2499);
  expect(orders).toHaveLength(2);
  const [, renewal = 0] = orders;
  expect(await orderNow(renewal)).toMatchObject({
    total: 2499,
    status: "processing",
    fulfillmentStatus: "unfulfilled",
    shippingAddress: ADDRESS,
  });
  expect(await moneyOf(renewal)).toEqual([{ kind: "charge", method: "credit_card", amount: -2499 }]);
  await noRules();
});

it("marks the renewals of a subscription in test mode, which get no invoice", async () => {
  const as = await asAdministrator();
  await call("PUT /admin/shop", { as, body: { address: ADDRESS, invoice_moment: "payment" } });
  const { orders } = await aSubscriber(2);
  for (const id of orders) {
    const { data } = (await call(`GET /admin/orders/${id}`, { as })).body;
    const { data: invoices } = (await call(`GET /admin/invoices?order_id=${id}`, { as })).body;
    expect([data.test, invoices]).toEqual([true, []]);
  }
  await call("PUT /admin/shop", { as, body: { invoice_moment: "manual" } });
});

it("knows for each month that the buyer asked for downloads at once, which ends the right of withdrawal", async () => {
  const user = await aUser();
  const sent = orderOf(await aRenewingFont(), 1, { payment_method: "credit_card", download_consent: true });
  const { data: order } = (await callWith(STRIPE, "POST /orders", { as: user.token, body: sent })).body;
  const billed = aSubscription(order, { invoices: [anInvoice(), anInvoice({ period_end: inDays(60) })] });
  await tell(STRIPE, "invoice.paid", billed);
  const { data } = (await call("GET /account/orders", { as: user.token })).body;
  expect(data).toMatchObject([{ download_consent: true }, { download_consent: true }]);
});

it("includes updates for as long as the subscription is paid", async () => {
  const license = {
    source: "generated",
    prefix: "FONT",
    activation_limit: 2,
    valid_days: null,
    update_days: 30,
  } as const;
  const { order, billed } = await aSubscriber(3, await aRenewingFont({ license }));
  const until = billed.current_period_end * 1000 + GRACE_MS;
  expect(await keyOf(order.id)).toMatchObject({ updatesUntil: until, expiresAt: until });
});

it("ends with the account that has the keys of a guest's subscription", async () => {
  const customer = { email: `${crypto.randomUUID()}@example.test`, name: "Sub Scriber" };
  const body = orderOf(await aRenewingFont(), 1, { payment_method: "credit_card", customer });
  const { data: order } = (await callWith(STRIPE, "POST /orders", { as: (await aKey()).key, body })).body;
  const billed = aSubscription(order);
  await tell(STRIPE, "invoice.paid", billed);
  const user = await aUser({ email: customer.email, emailVerifiedAt: null });
  await db.update(users).set({ emailVerifiedAt: Date.now() }).where(eq(users.id, user.id));
  await db
    .update(users)
    .set({ eraseAt: inDays(8) * 1000 })
    .where(eq(users.id, user.id));
  await eraseDueAccounts(env, db, inDays(9) * 1000);
  expect(await keyOf(order.id)).toMatchObject({ revokedAt: expect.any(Number) });
  await closePayments(shop, inDays(9) * 1000);
  expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
});
