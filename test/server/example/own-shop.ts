import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Stripe from "stripe";
import { startStripe } from "../../../scripts/openapi/examples/stripe.ts";
import type { Storefront } from "../../../src/client/index.ts";
import { aCheckout, freePort, type OpenShop, withoutDelivery } from "../checkout.ts";
import type { Opened } from "../on-demand.ts";
import { asAdmin } from "../shopper.ts";
import { openExample } from "./open.ts";

const STRIPE_WEBHOOK_SECRET = "whsec_example";

/** A shop with its own example, which the shop's webhook calls. */
export type OwnShop = OpenShop & { example: string; webhook: { id: number }; stripeUrl: string };

/**
 * A shop that ships to Germany, with 19 % included in prices, and to the United States. It has Stripe enabled, a
 * stand-in for Stripe, and the example in front of it.
 */
export async function openOwnShop(state: string): Promise<Opened<OwnShop>> {
  const port = await freePort();
  const stripe = await startStripe(STRIPE_WEBHOOK_SECRET);
  const checkout = await aCheckout(state);
  const vars = {
    STRIPE_SECRET_KEY: "sk_test_example",
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    CHECKOUT_RETURN_URL: `http://localhost:${port}/orders/return/{reference}`,
  };
  const lines = Object.entries(vars).map(([name, value]) => `${name}='${value}'\n`);
  appendFileSync(join(checkout.folder, ".dev.vars"), lines.join(""));
  const shop = await checkout.start();
  await withoutDelivery(shop);
  const api = await asAdmin(shop);
  const { data: webhook } = await api.POST("/api/v1/admin/webhooks", {
    body: { url: `http://localhost:${port}/webhooks`, types: ["product.*", "order.shipped"] },
  });
  await setPrices(api);
  const exampleVars = join(checkout.folder, "examples/storefront/.dev.vars");
  writeFileSync(exampleVars, `WEBHOOK_SECRET='${webhook.secret}'\n`);
  const example = await openExample(shop, port);
  const close = async () => {
    example.close();
    await checkout.kill();
    checkout.remove();
    stripe.close();
  };
  return { found: { ...shop, example: example.baseURL, webhook: { id: webhook.id }, stripeUrl: stripe.url }, close };
}

async function setPrices(api: Storefront): Promise<void> {
  await api.PUT("/api/v1/admin/shop", { body: { home_country: "DE", prices_include_tax: true } });
  const zones = "/api/v1/admin/shipping-zones";
  const { data: home } = await api.POST(zones, { body: { name: "Germany", places: [{ country: "DE" }] } });
  const { data: america } = await api.POST(zones, { body: { name: "America", places: [{ country: "US" }] } });
  await api.POST(zones, { body: { name: "Elsewhere", rest_of_world: true } });
  const post = { zone_id: home.id, name: "Post", kind: "flat_rate", price: 4.9, min_days: 2, max_days: 3 } as const;
  await api.POST("/api/v1/admin/shipping-methods", { body: post });
  const express = { ...post, name: "Express", price: 12.9, min_days: 1, max_days: 1 };
  await api.POST("/api/v1/admin/shipping-methods", { body: express });
  const airmail = { zone_id: america.id, name: "Airmail", kind: "flat_rate", price: 20 } as const;
  await api.POST("/api/v1/admin/shipping-methods", { body: airmail });
  const rates = "/api/v1/admin/tax-rates";
  await api.POST(rates, { body: { name: "MwSt.", country: "DE", rate: 19, taxes_shipping: true } });
  await api.POST(rates, { body: { name: "NY sales tax", country: "US", region: "NY", rate: 8.875 } });
  const code = { name: "Spring sale", code: "SPRING", kind: "percentage", percent: 10 } as const;
  await api.POST("/api/v1/admin/discounts", { body: code });
}

/** Sends an event to the shop, signed as Stripe signs it. */
export async function tellAsStripe(baseUrl: string, payload: string): Promise<void> {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: STRIPE_WEBHOOK_SECRET });
  const response = await fetch(`${baseUrl}/api/v1/webhooks/stripe`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  if (!response.ok) throw new Error(`The shop answered Stripe with ${response.status}`);
}
