import { type Billed, shownInvoice, shownSubscription } from "../../../test/payments/stand-in/stripe-billing.ts";
import type { Shop } from "./shop.ts";
import { type Stripe, tell } from "./stripe.ts";

const PERIOD_END = Date.UTC(2040, 1, 1) / 1000;

const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 24 * 60 * 60;

/** Sells a guest a magazine whose payment fails once, and whose buyer and staff cancel it. */
export async function sellSubscriptions(shop: Shop, stripe: Stripe): Promise<void> {
  const { admin } = shop.tokens;
  const key = shop.access.api_keys.standard;
  const product = {
    name: "Grain: a magazine",
    sku: "GRAIN-1",
    type: "digital",
    price: 6,
    status: "active",
    renews: "month",
  };
  const { id: product_id, price } = await shop.ask("createProduct", { as: admin, body: product });
  const customer = { email: "robin@example.com", name: "Robin Reader" };
  const body = { items: [{ product_id, quantity: 1, price }], customer, payment_method: "credit_card" };
  const order = await shop.ask("createOrder", { as: key, body });
  const invoice = {
    id: "in_1Example",
    amount_paid: 600,
    currency: "usd",
    payment_intent: "pi_1Example",
    period_end: PERIOD_END,
  };
  const billed: Billed = {
    id: "sub_1Example",
    customer: "cus_1Example",
    metadata: { order_reference: order.reference },
    status: "active",
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    current_period_start: inDays(0),
    current_period_end: PERIOD_END,
    invoices: [invoice],
  };
  const answerWith = (change: Partial<Billed>) => {
    const found = shownSubscription({ ...billed, ...change });
    Object.assign(stripe.answers, {
      "GET /v1/subscriptions/sub_1Example": found,
      "POST /v1/subscriptions/sub_1Example": found,
    });
    return found;
  };
  let told = 0;
  const become = (change: Partial<Billed>) => {
    const event = { id: `evt_subscription_${++told}`, type: "customer.subscription.updated" };
    return tell(shop, stripe, "ask", { ...event, object: answerWith(change) });
  };
  answerWith({});
  const list = { object: "list", has_more: false, data: [shownInvoice(billed, invoice, true)] };
  Object.assign(stripe.answers, {
    "GET /v1/invoices?subscription=sub_1Example&status=paid&limit=12&expand[]=data.payments": list,
    "POST /v1/billing_portal/sessions": { url: "https://billing.stripe.com/p/session/example" },
  });
  await tell(shop, stripe, "ask", {
    id: "evt_subscription",
    type: "invoice.paid",
    object: shownInvoice(billed, invoice, false),
  });
  const query = { order_id: String(order.id) };
  const [{ id }] = await shop.record("listMySubscriptions", { as: key, query });
  const it = { path: { id } };
  await shop.record("createMySubscriptionPortal", { as: key, ...it, body: {} });
  await become({ status: "past_due" });
  await become({ current_period_start: inDays(-335), current_period_end: inDays(30) });
  answerWith({ cancel_at_period_end: true, canceled_at: inDays(0) });
  await shop.record("cancelMySubscription", { as: key, ...it, body: {} });
  await shop.record("adminListSubscriptions", { as: admin, query });
  await shop.record("cancelSubscription", { as: admin, ...it, body: { at_period_end: true } });
  await become({ status: "canceled", canceled_at: inDays(0), ended_at: inDays(0) });
}
