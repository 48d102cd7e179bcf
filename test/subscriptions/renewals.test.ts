import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { closePayments } from "../../src/checkout/payments/close-payments.ts";
import { syncDueSubscriptions } from "../../src/checkout/subscriptions/sync.ts";
import { licenseKeys, orders, products, subscriptions } from "../../src/platform/db/schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { paypalAccount } from "../payments/support/paypal.ts";
import { buy, moneyOf, orderNow, packagesOf, refundsOf } from "../payments/support/shop.ts";
import { sent } from "../payments/support/stand-in.ts";
import { stripeAccount, tellStripe } from "../payments/support/stripe.ts";
import { call, callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { invoicesThatDoNotAddUp } from "../support/invoices.ts";
import { aDiscount, aRate, noRules, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import {
  anInvoice,
  aRenewingFont,
  aSubscription,
  bill,
  billedNow,
  billingEvent,
  GRACE_MS,
  inDays,
  ordersOf,
  subscriptionNow,
  tell,
} from "./support.ts";

const STRIPE = stripeAccount("renewals");
const shop = { env, db, settings: readSettings({ ...env, ...STRIPE }) };

const keyOf = (orderId: number) => db.select().from(licenseKeys).where(eq(licenseKeys.orderId, orderId)).get();

/** The end of a period with its grace, for a row. */
const until = (periodEnd: number) => periodEnd * 1000 + GRACE_MS;

/** A subscription whose first month is paid, with its order. */
async function aPaidFont() {
  const bought = await buy(STRIPE, { product: await aRenewingFont() });
  const billed = aSubscription(bought.order);
  expect((await tell(STRIPE, "invoice.paid", billed)).status).toBe(200);
  return { ...bought, billed };
}

/** Pays the next month at Stripe, without an event. */
function renew(billed: Awaited<ReturnType<typeof aPaidFont>>["billed"], days = 60, amount_paid = 1999) {
  const invoice = anInvoice({ period_end: inDays(days), amount_paid });
  billed.invoices.push(invoice);
  billed.current_period_end = invoice.period_end;
  return invoice;
}

it("opens a subscription that charges the order's total, taxes included, and grants nothing before it is paid", async () => {
  const { order, product } = await buy(STRIPE, { product: await aRenewingFont({ renews: "year" }) });
  const [request] = await sent(order.reference, "POST /v1/checkout/sessions");
  const fields = Object.fromEntries(new URLSearchParams(request?.body));
  expect(fields).toMatchObject({
    mode: "subscription",
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][unit_amount]": "1999",
    "line_items[0][price_data][recurring][interval]": "year",
    "line_items[0][price_data][product_data][name]": product.name,
    "subscription_data[metadata][order_reference]": order.reference,
  });
  expect(Object.keys(fields).filter((name) => name.startsWith("payment_intent_data"))).toEqual([]);
  expect([await packagesOf(order.id), await keyOf(order.id)]).toEqual([[], undefined]);
});

it("cannot be marked as paid by hand, which would grant a period without a subscription", async () => {
  const { order } = await buy(STRIPE, { product: await aRenewingFont() });
  const as = await asAdministrator();
  for (const body of [{ payment_status: "paid" }, { status: "completed", payment_status: "paid" }]) {
    const refused = await call(`PUT /admin/orders/${order.id}`, { as, body });
    expect([refused.status, refused.body.details]).toMatchObject([
      400,
      [{ field: "payment_status", code: "not_applicable" }],
    ]);
  }
  expect(await packagesOf(order.id)).toEqual([]);
  const once = await buy(STRIPE, { product: await aProduct({ type: "digital", stock: null }) });
  const paid = await call(`PUT /admin/orders/${once.order.id}`, { as, body: { payment_status: "paid" } });
  expect([paid.status, paid.body.data.payment_status]).toEqual([200, "paid"]);
});

it("grants downloads and keys until the end of the paid month with its grace", async () => {
  const { order, billed } = await aPaidFont();
  const [invoice] = billed.invoices;
  expect(await orderNow(order.id)).toMatchObject({ status: "completed", paymentReference: invoice?.payment_intent });
  const expiresAt = until(billed.current_period_end);
  expect(await packagesOf(order.id)).toMatchObject([{ expiresAt }]);
  expect(await keyOf(order.id)).toMatchObject({ expiresAt });
  expect(await ordersOf(billed)).toEqual([order.id]);
  expect(await moneyOf(order.id)).toEqual([{ kind: "charge", method: "credit_card", amount: -1999 }]);
});

it("records each renewal as an order with its payment and downloads, and extends the key of the first one", async () => {
  const { order, billed, token } = await aPaidFont();
  const invoice = renew(billed, 60, 2499);
  await tell(STRIPE, "invoice.paid", billed);
  const [, id = 0, ...others] = await ordersOf(billed);
  expect(others).toEqual([]);
  expect(await orderNow(id)).toMatchObject({
    renewalOf: order.id,
    status: "completed",
    paymentStatus: "paid",
    total: 2499,
    paymentProvider: "stripe",
    paymentReference: invoice.payment_intent,
  });
  expect(await moneyOf(id)).toEqual([{ kind: "charge", method: "credit_card", amount: -2499 }]);
  expect(await packagesOf(id)).toMatchObject([{ expiresAt: until(invoice.period_end), revokedAt: null }]);
  expect(await keyOf(id)).toBeUndefined();
  expect(await keyOf(order.id)).toMatchObject({ expiresAt: until(invoice.period_end) });
  const listed = (await call("GET /account/orders", { as: token })).body.data;
  expect(listed.map(({ id: shown }: { id: number }) => shown)).toEqual([id, order.id]);
  expect([await brokenInvariants(), await invoicesThatDoNotAddUp()]).toEqual([{}, []]);
});

it.each([true, false])(
  "taxes a renewal within what was charged, by the current rules, if prices include tax: %s",
  async (pricesIncludeTax) => {
    await settleShop({ pricesIncludeTax, homeCountry: "DE" });
    const rate = { country: "DE", rate: 190_000 };
    await aRate(rate);
    const { order, billed } = await (async () => {
      const bought = await buy(STRIPE, { product: await aRenewingFont({ price: 1000 }) });
      const subscribed = aSubscription(bought.order, {
        invoices: [anInvoice({ amount_paid: pricesIncludeTax ? 1000 : 1190 })],
      });
      await tell(STRIPE, "invoice.paid", subscribed);
      return { ...bought, billed: subscribed };
    })();
    expect(order).toMatchObject({ total: pricesIncludeTax ? 10 : 11.9 });
    renew(billed, 60, 1190);
    await tell(STRIPE, "invoice.paid", billed);
    const [, renewal = 0] = await ordersOf(billed);
    expect(await orderNow(renewal)).toMatchObject({
      total: 1190,
      taxTotal: 190,
      subtotal: 1190,
      pricesIncludeTax: true,
    });
    await noRules();
    await settleShop({ pricesIncludeTax: false, homeCountry: null });
  },
);

it("handles an event that comes late, twice or before an earlier one, and several at once, as the state that Stripe has", async () => {
  const { order, product } = await buy(STRIPE, { product: await aRenewingFont() });
  const billed = aSubscription(order);
  await bill(billed);
  const payloads = ["customer.subscription.updated", "invoice.paid", "invoice.payment_failed"].map((type) =>
    billingEvent(type, billed),
  );
  renew(billed);
  await bill(billed);
  payloads.push(billingEvent("invoice.paid", billed), billingEvent("customer.subscription.updated", billed));
  const tellAll = () => Promise.all([...payloads, ...payloads].map((payload) => tellStripe(STRIPE, { payload })));
  await tellAll();
  await tellAll();
  expect(await ordersOf(billed)).toHaveLength(2);
  const placed = await db.select().from(orders).where(eq(orders.renewalOf, order.id));
  expect(placed).toHaveLength(1);
  expect(await keyOf(order.id)).toMatchObject({ productId: product.id, expiresAt: until(billed.current_period_end) });
  expect(await refundsOf(order.id)).toEqual([]);
});

it("finds renewals whose events were lost, once they are due", async () => {
  const { billed } = await aPaidFont();
  renew(billed);
  renew(billed, 90);
  await bill(billed);
  await syncDueSubscriptions(shop, Date.now() + 29 * 24 * 60 * 60_000);
  expect(await ordersOf(billed)).toHaveLength(1);
  await syncDueSubscriptions(shop, inDays(31) * 1000);
  expect(await ordersOf(billed)).toHaveLength(3);
  expect(await subscriptionNow(billed)).toMatchObject({ currentPeriodEnd: billed.current_period_end * 1000 });
});

it("keeps access for the grace period while a renewal is not paid, and gives it back when it is paid late", async () => {
  const { order, billed } = await aPaidFont();
  Object.assign(billed, { status: "past_due", current_period_end: inDays(60) });
  await tell(STRIPE, "invoice.payment_failed", billed);
  expect(await subscriptionNow(billed)).toMatchObject({ pastDue: true, endedAt: null });
  const [first] = billed.invoices;
  expect(await keyOf(order.id)).toMatchObject({ expiresAt: until(first?.period_end ?? 0) });
  billed.status = "active";
  renew(billed);
  await tell(STRIPE, "invoice.paid", billed);
  expect(await subscriptionNow(billed)).toMatchObject({ pastDue: false });
  expect(await keyOf(order.id)).toMatchObject({ expiresAt: until(billed.current_period_end) });
});

it("ends access when the subscription ends, also for a payment that is read afterwards", async () => {
  const { order, billed } = await aPaidFont();
  renew(billed);
  const ended_at = inDays(0) + 120;
  Object.assign(billed, { status: "canceled", ended_at });
  await tell(STRIPE, "customer.subscription.deleted", billed);
  const [, renewal = 0] = await ordersOf(billed);
  for (const id of [order.id, renewal]) expect(await packagesOf(id)).toMatchObject([{ expiresAt: ended_at * 1000 }]);
  expect(await keyOf(order.id)).toMatchObject({ expiresAt: ended_at * 1000 });
  expect(await subscriptionNow(billed)).toMatchObject({ endedAt: ended_at * 1000, checkAt: null });
});

it("revokes the downloads of a refunded renewal, and shortens the key by it", async () => {
  const { order, billed } = await aPaidFont();
  const [first] = billed.invoices;
  renew(billed);
  await tell(STRIPE, "invoice.paid", billed);
  const [, renewal = 0] = await ordersOf(billed);
  const as = await asAdministrator();
  const { status } = await callWith(STRIPE, `POST /admin/orders/${renewal}/refunds`, { as, body: {} });
  expect(status).toBe(200);
  expect(await packagesOf(renewal)).toMatchObject([{ revokedAt: expect.any(Number) }]);
  expect(await packagesOf(order.id)).toMatchObject([{ revokedAt: null }]);
  expect(await keyOf(order.id)).toMatchObject({ expiresAt: until(first?.period_end ?? 0), revokedAt: null });
});

it("renews what is no longer sold, and takes neither stock nor a discount", async () => {
  const discount = await aDiscount({ code: null, percent: 500_000 });
  const product = await aRenewingFont({ stock: 1 });
  const bought = await buy(STRIPE, { product });
  await noRules();
  expect([bought.order.total, discount.percent]).toEqual([19.99, 500_000]);
  const billed = aSubscription(bought.order);
  await tell(STRIPE, "invoice.paid", billed);
  await db.update(products).set({ status: "draft", price: 9999 }).where(eq(products.id, product.id));
  renew(billed);
  expect((await tell(STRIPE, "invoice.paid", billed)).status).toBe(200);
  expect(await ordersOf(billed)).toHaveLength(2);
  expect(await db.select().from(products).where(eq(products.id, product.id)).get()).toMatchObject({ stockQuantity: 0 });
});

it("renews a guest's order for the guest", async () => {
  const { key } = await aKey();
  const customer = { email: "subscriber@example.test", name: "Sub Scriber" };
  const body = orderOf(await aRenewingFont(), 1, { payment_method: "credit_card", customer });
  const { data: order } = (await callWith(STRIPE, "POST /orders", { as: key, body })).body;
  const billed = aSubscription(order);
  renew(billed);
  await tell(STRIPE, "invoice.paid", billed);
  const [, renewal = 0] = await ordersOf(billed);
  expect(await orderNow(renewal)).toMatchObject({
    customerEmail: customer.email,
    customerName: customer.name,
    userId: null,
  });
  expect(await packagesOf(renewal)).toMatchObject([{ userId: null }]);
});

describe("refuses a renewing product", () => {
  const order = async (secrets: Partial<Env>, change: object, headers = {}) => {
    const { token } = await aUser({ wallet: 10_000 });
    const body = { ...orderOf(await aRenewingFont(), 1, { payment_method: "credit_card" }), ...change };
    const { status, body: answered } = await callWith(secrets, "POST /orders", { as: token, body, headers });
    return [status, Object.keys(answered.errors ?? {})];
  };

  it.each(["wallet", "paypal", "bank_transfer"])("paid by %s", async (payment_method) => {
    expect(await order({ ...STRIPE, ...paypalAccount("renewals") }, { payment_method })).toEqual([
      400,
      ["payment_method"],
    ]);
  });

  it("while no provider is connected", async () => {
    expect(await order({}, {})).toEqual([400, ["payment_method"]]);
  });

  it("with another product, or twice", async () => {
    const [font, mug] = [await aRenewingFont(), await aProduct()];
    const items = [...orderOf(font).items, ...orderOf(mug).items];
    expect(await order(STRIPE, { items })).toEqual([400, ["items.0.quantity"]]);
    expect(await order(STRIPE, { items: orderOf(font, 2).items })).toEqual([400, ["items.0.quantity"]]);
  });

  it("that costs nothing", async () => {
    const free = orderOf(await aRenewingFont({ price: 0 })).items;
    expect(await order(STRIPE, { items: free })).toEqual([400, ["items.0.product_id"]]);
  });

  it("in an order by staff, which nobody pays again", async () => {
    const [font, user] = [await aRenewingFont(), await aUser()];
    const body = {
      user_id: user.id,
      items: [{ product_id: font.id, quantity: 1 }],
      payment_method: "credit_card",
      paid: true,
    };
    const { status, body: answered } = await callWith(STRIPE, "POST /admin/orders", {
      as: await asAdministrator(),
      body,
      headers: onPurpose(),
    });
    expect([status, Object.keys(answered.errors ?? {})]).toEqual([400, ["payment_method"]]);
  });
});

describe("a subscription that does not fit", () => {
  const close = async () => closePayments(shop, Date.now() + 2000);

  it("is left alone if the shop did not open it", async () => {
    const foreign = aSubscription({ reference: "" }, { metadata: {} });
    const { status, body } = await tell(STRIPE, "invoice.paid", foreign);
    expect([status, body.message]).toEqual([200, "Nothing to do"]);
    await close();
    expect(await billedNow(foreign.id)).toMatchObject({ ended_at: null });
  });

  it("is unknown to Stripe, whatever a signed event says", async () => {
    const { order } = await buy(STRIPE, { product: await aRenewingFont() });
    const invented = aSubscription(order);
    expect((await tellStripe(STRIPE, { payload: billingEvent("invoice.paid", invented) })).status).toBe(200);
    expect(await orderNow(order.id)).toMatchObject({ status: "pending", paidAt: null });
  });

  it("has an event with a wrong signature", async () => {
    const { order } = await buy(STRIPE, { product: await aRenewingFont() });
    const billed = aSubscription(order);
    await bill(billed);
    const forged = await tellStripe(STRIPE, { payload: billingEvent("invoice.paid", billed), secret: "whsec_other" });
    expect([forged.status, await orderNow(order.id)]).toMatchObject([400, { status: "pending" }]);
  });

  it("names an order that another one paid: its money is returned, and it ends", async () => {
    const { order, billed } = await aPaidFont();
    const second = aSubscription(order);
    await tell(STRIPE, "invoice.paid", second);
    expect(await subscriptionNow(second)).toBeUndefined();
    expect(await refundsOf(order.id)).toMatchObject([{ payment: second.invoices[0]?.payment_intent, amount: 1999 }]);
    await close();
    expect(await billedNow(second.id)).toMatchObject({ status: "canceled" });
    expect(await billedNow(billed.id)).toMatchObject({ status: "active" });
    expect(await subscriptionNow(billed)).toMatchObject({ endedAt: null });
  });

  it.each([{ amount_paid: 1998 }, { currency: "eur" }])(
    "paid $amount_paid $currency for an order of 19.99 USD: it is returned, and it ends",
    async (wrong) => {
      const { order } = await buy(STRIPE, { product: await aRenewingFont() });
      const billed = aSubscription(order, { invoices: [anInvoice(wrong)] });
      await tell(STRIPE, "invoice.paid", billed);
      expect(await orderNow(order.id)).toMatchObject({ status: "pending", paidAt: null });
      expect(await refundsOf(order.id)).toMatchObject([{ payment: billed.invoices[0]?.payment_intent }]);
      await close();
      expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
      expect(await packagesOf(order.id)).toEqual([]);
    },
  );

  it("renews in another currency: the money is returned, and nothing is granted", async () => {
    const { order, billed } = await aPaidFont();
    billed.invoices.push(anInvoice({ currency: "eur", period_end: inDays(60) }));
    await tell(STRIPE, "invoice.paid", billed);
    expect(await ordersOf(billed)).toEqual([order.id]);
    expect(await refundsOf(order.id)).toMatchObject([{ currency: "EUR", amount: 1999 }]);
  });

  it("is paid after its order was cancelled: its money is returned, and it ends even after an outage", async () => {
    const { order, token } = await buy(STRIPE, { product: await aRenewingFont() });
    await callWith(STRIPE, `POST /account/orders/${order.id}/cancel`, { as: token });
    const billed = aSubscription(order);
    await tell(STRIPE, "invoice.paid", billed);
    expect(await refundsOf(order.id)).toMatchObject([{ amount: 1999 }]);
    const outage = readSettings({ ...env, ...STRIPE, STRIPE_API_URL: "http://127.0.0.1:1" });
    await closePayments({ ...shop, settings: outage }, Date.now() + 3 * 60 * 60_000);
    expect(await billedNow(billed.id)).toMatchObject({ status: "active" });
    await closePayments(shop, Date.now() + 6 * 60 * 60_000);
    expect(await billedNow(billed.id)).toMatchObject({ status: "canceled" });
  });

  it("keeps its newer state when an older one is written last", async () => {
    const { billed } = await aPaidFont();
    const readAt = Date.now() + 60_000;
    await db.update(subscriptions).set({ readAt, cancelsAt: 1 }).where(eq(subscriptions.reference, billed.id));
    await tell(STRIPE, "customer.subscription.updated", billed);
    expect(await subscriptionNow(billed)).toMatchObject({ readAt, cancelsAt: 1 });
  });
});
