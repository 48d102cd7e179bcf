import { expect } from "vitest";
import { type Billed, shownInvoice, shownSubscription } from "../../payments/stand-in/stripe-billing.ts";
import { LONG } from "../../support/long.ts";
import { aShopper, asAdmin } from "../shopper.ts";
import { aVisitOf, it } from "./example.ts";
import { tellAsStripe } from "./own-shop.ts";

const DAY = 24 * 60 * 60;

it(
  "lets a subscriber change the card and cancel, beside the license key of the order",
  LONG,
  async ({ ownShop, see }) => {
    const { base_url, example, stripeUrl } = ownShop;
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
    const now = Math.floor(Date.now() / 1000);
    const end = now + 30 * DAY;
    const invoice = { id: "in_font", amount_paid: 900, currency: "usd", payment_intent: "pi_font", period_end: end };
    const billed: Billed = {
      id: `sub_${order.reference}`,
      customer: "cus_font",
      metadata: { order_reference: order.reference },
      status: "active",
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      current_period_start: now,
      current_period_end: end,
      invoices: [invoice],
    };
    const bill = (change: Partial<Billed>) =>
      fetch(`${stripeUrl}/billed/${billed.id}`, { method: "PUT", body: JSON.stringify({ ...billed, ...change }) });
    const event = (type: string, object: object) =>
      JSON.stringify({ id: `evt_${type}_${now}`, type, data: { object } });
    await bill({});
    await tellAsStripe(base_url, event("invoice.paid", shownInvoice(billed, invoice, false)));

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

    await bill({ status: "past_due", cancel_at_period_end: false });
    const { id, ...shown } = shownSubscription({ ...billed, status: "past_due" });
    await tellAsStripe(base_url, event("customer.subscription.updated", { id, ...shown }));
    await visitor.open(`/orders/${order.id}`);
    expect(visitor.text()).toContain("The last payment failed.");
  },
);
