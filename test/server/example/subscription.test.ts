import { expect } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { type Billed, shownInvoice, shownSubscription } from "../../payments/stand-in/stripe-billing.ts";
import { LONG } from "../../support/long.ts";
import { sentToken } from "../emails.ts";
import { aVisitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin } from "../shopper.ts";
import { aVisitOf, it } from "./example.ts";
import { type OwnShop, tellAsStripe } from "./own-shop.ts";

const DAY = 24 * 60 * 60;
const NOW = Math.floor(Date.now() / 1000);
const END = NOW + 30 * DAY;

const event = (type: string, object: object) =>
  JSON.stringify({ id: `evt_${type}_${crypto.randomUUID()}`, type, data: { object } });

/** Makes this the state of the subscription at Stripe. */
const bill = ({ stripeUrl }: OwnShop, billed: Billed) =>
  fetch(`${stripeUrl}/billed/${billed.id}`, { method: "PUT", body: JSON.stringify(billed) });

/** Pays the first month of a subscription that an order began. */
async function payFirstMonth(shop: OwnShop, { reference }: { reference: string }): Promise<Billed> {
  const payment_intent = `pi_${reference}`;
  const invoice = { id: `in_${reference}`, amount_paid: 900, currency: "usd", payment_intent, period_end: END };
  const billed: Billed = {
    id: `sub_${reference}`,
    customer: `cus_${reference}`,
    metadata: { order_reference: reference },
    status: "active",
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    current_period_start: NOW,
    current_period_end: END,
    invoices: [invoice],
  };
  await bill(shop, billed);
  await tellAsStripe(shop.base_url, event("invoice.paid", shownInvoice(billed, invoice, false)));
  return billed;
}

it(
  "lets a subscriber change the card and cancel, beside the license key of the order",
  LONG,
  async ({ ownShop, see }) => {
    const { base_url, example } = ownShop;
    const admin = await asAdmin(ownShop);
    const font = {
      name: "Harbour Grotesk, all styles",
      sku: "HARBOUR-ALL",
      type: "digital",
      status: "active",
      price: 9,
      renews: "month",
    } as const;
    const license = { activation_limit: 3, prefix: "HARBOUR" };
    const { data: product } = await admin.POST("/api/v1/admin/products", { body: { ...font, license } });
    const shopper = await aShopper(ownShop, 0);
    const { data: order } = await shopper.api.POST("/api/v1/user/orders", {
      body: { items: [{ product_id: product.id, quantity: 1, price: 9 }], payment_method: "credit_card" },
    });
    const billed = await payFirstMonth(ownShop, order);

    const visitor = aVisitOf(shopper, example);
    await visitor.open(`/orders/${order.id}`);
    expect(visitor.text()).toMatch(/Harbour Grotesk, all styles renews on/);
    expect(visitor.text()).toMatch(/HARBOUR(-[0-9A-Z]{4}){6}/);
    await see(visitor, "subscription");
    await visitor.press("Change the card");
    expect(visitor.text()).toContain("billing.stripe.test");
    await visitor.follow("Back to the order");
    await visitor.press("Cancel now (jetzt kündigen)");
    visitor.told("Your subscription was cancelled.");
    expect(visitor.text()).toMatch(/Harbour Grotesk, all styles ends on/);
    expect(visitor.text()).not.toContain("jetzt kündigen");
    await see(visitor, "subscription-cancelled");

    const late: Billed = { ...billed, status: "past_due" };
    await bill(ownShop, late);
    await tellAsStripe(base_url, event("customer.subscription.updated", shownSubscription(late)));
    await visitor.open(`/orders/${order.id}`);
    expect(visitor.text()).toContain("The last payment failed.");

    const customer = { email: "subscriber@example.test", name: "Sub Scriber" };
    const backend = createStorefront({ baseUrl: base_url, credential: ownShop.api_keys.standard });
    const { data: ofGuest } = await backend.POST("/api/v1/user/orders", {
      body: { items: [{ product_id: product.id, quantity: 1, price: 9 }], payment_method: "credit_card", customer },
    });
    await payFirstMonth(ownShop, ofGuest);
    const token = await sentToken(base_url, customer.email, "order");
    const guest = aVisitor(example);
    await guest.open(`/orders/reference/${ofGuest.reference}?token=${encodeURIComponent(token)}`);
    expect(guest.text()).toMatch(/Harbour Grotesk, all styles renews on/);
    await see(guest, "subscription-guest");
    await guest.follow("Cancel contracts here (Verträge hier kündigen)");
    await see(guest, "subscription-guest-page");
    await guest.press("Cancel now (jetzt kündigen)");
    expect(guest.text()).toContain("Subscription cancelled");
  },
);
