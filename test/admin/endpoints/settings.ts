import { env } from "cloudflare:workers";
import { paymentAccounts, shippingMethods, shippingZones, taxRates } from "../../../src/platform/db/schema.ts";
import { aPaymentAccount } from "../../payments/support/accounts.ts";
import { money } from "../../support/money.ts";
import { aFeed, aFeedBody, aMethod, aTaxRate, aZone } from "../../support/settings.ts";
import { db } from "../../support/shop.ts";
import type { AdminEndpoint, AdminEndpoints } from "./endpoint.ts";

const of = (path: string, make: () => Promise<{ id: number }>, body?: Record<string, unknown>) => async () => ({
  path: `${path}/${(await make()).id}`,
  ...(body && { body }),
});

let made = 0;

const reads = { permission: "settings:read", status: 200 } satisfies Partial<AdminEndpoint>;
const writes = { permission: "settings:write", status: 200 } satisfies Partial<AdminEndpoint>;

/** A backup without content. */
async function aBackup() {
  const id = `20261126030000000-${++made}`;
  await env.BACKUPS?.put(`manifests/${id}.json`, "{}");
  return { path: `/backups/${id}` };
}

/** A request for a backup while none is running. */
async function noBackup() {
  await db.run("UPDATE jobs SET state = 'cancelled' WHERE kind = 'back_up'");
  return { path: "/backups", body: {} };
}

/** A request to apply a preset to an empty shop. */
const setsUp = (preset: string, body: Record<string, unknown>) => async () => {
  await db.batch([db.delete(shippingMethods), db.delete(shippingZones), db.delete(taxRates)]);
  return { path: `/shop/presets/${preset}`, body: { ...body, shipping_prices: { home: money(4.9) } } };
};

export const settings: AdminEndpoints = {
  "GET /shop": { ...reads, request: async () => ({ path: "/shop" }) },
  "PUT /shop": { ...writes, request: async () => ({ path: "/shop", body: { name: `Shop ${++made}` } }) },
  "GET /email-texts": { permission: null, status: 200, request: async () => ({ path: "/email-texts" }) },
  "PUT /email-texts/:template/:language": {
    permission: null,
    status: 200,
    request: async () => ({ path: "/email-texts/order_confirmation/de", body: { subject: `Danke ${++made}` } }),
  },
  "GET /pages": { ...reads, request: async () => ({ path: "/pages" }) },
  "PUT /pages/:slug/:language": {
    ...writes,
    request: async () => ({ path: "/pages/terms/de", body: { title: "AGB", text: `§ ${++made}` } }),
  },
  "GET /agents": { ...reads, request: async () => ({ path: "/agents" }) },
  "GET /backups": { ...reads, request: async () => ({ path: "/backups" }) },
  "GET /backups/:id": { ...reads, request: aBackup },
  "POST /backups": { ...writes, status: 201, request: noBackup },
  "GET /feeds": { ...reads, request: async () => ({ path: "/feeds" }) },
  "POST /feeds": { ...writes, status: 201, request: async () => ({ path: "/feeds", body: aFeedBody() }) },
  "GET /feeds/:id": { ...reads, request: of("/feeds", aFeed) },
  "PUT /feeds/:id": { ...writes, request: of("/feeds", aFeed, { name: "Elsewhere" }) },
  "DELETE /feeds/:id": { ...writes, status: 204, request: of("/feeds", aFeed) },
  "POST /feeds/:id/address": {
    ...writes,
    request: async () => ({ path: `/feeds/${(await aFeed()).id}/address`, body: {} }),
  },
  "GET /payment-settings": { ...reads, request: async () => ({ path: "/payment-settings" }) },
  "PUT /payment-settings": {
    ...writes,
    request: async () => ({ path: "/payment-settings", body: { cash: { instructions: `At desk ${++made}` } } }),
  },
  "GET /payment-accounts": { permission: null, status: 200, request: async () => ({ path: "/payment-accounts" }) },
  "PUT /payment-accounts/stripe": {
    permission: null,
    status: 200,
    request: async () => ({ path: "/payment-accounts/stripe", body: { secret_key: "sk_test_endpoints" } }),
  },
  "PUT /payment-accounts/paypal": {
    permission: null,
    status: 200,
    request: async () => ({
      path: "/payment-accounts/paypal",
      body: { client_id: "client-endpoints", client_secret: "secret", live: false },
    }),
  },
  "DELETE /payment-accounts/:provider": {
    permission: null,
    status: 204,
    request: async () => {
      await db.delete(paymentAccounts);
      await aPaymentAccount("paypal");
      return { path: "/payment-accounts/paypal" };
    },
  },
  "POST /shop/presets/eu": { ...writes, request: setsUp("eu", { home_country: "DE" }) },
  "POST /shop/presets/us": { ...writes, request: setsUp("us", { home_region: "NY" }) },
  "POST /shop/presets/country": { ...writes, request: setsUp("country", { home_country: "GB" }) },
  "GET /shipping-zones": { ...reads, request: async () => ({ path: "/shipping-zones" }) },
  "POST /shipping-zones": {
    ...writes,
    status: 201,
    request: async () => ({ path: "/shipping-zones", body: { name: "Nowhere yet" } }),
  },
  "GET /shipping-zones/:id": { ...reads, request: of("/shipping-zones", aZone) },
  "PUT /shipping-zones/:id": { ...writes, request: of("/shipping-zones", aZone, { name: "Elsewhere" }) },
  "DELETE /shipping-zones/:id": { ...writes, status: 204, request: of("/shipping-zones", aZone) },
  "GET /shipping-methods": { ...reads, request: async () => ({ path: "/shipping-methods" }) },
  "POST /shipping-methods": {
    ...writes,
    status: 201,
    request: async () => ({
      path: "/shipping-methods",
      body: { zone_id: (await aZone()).id, name: "Parcel", kind: "flat_rate", price: money(4.9), free_from: money(50) },
    }),
  },
  "GET /shipping-methods/:id": { ...reads, request: of("/shipping-methods", aMethod) },
  "PUT /shipping-methods/:id": { ...writes, request: of("/shipping-methods", aMethod, { price: money(5.9) }) },
  "DELETE /shipping-methods/:id": { ...writes, status: 204, request: of("/shipping-methods", aMethod) },
  "GET /tax-rates": { ...reads, request: async () => ({ path: "/tax-rates" }) },
  "POST /tax-rates": {
    ...writes,
    status: 201,
    request: async () => ({ path: "/tax-rates", body: { name: `Tax ${++made}`, country: "FR", rate: 20 } }),
  },
  "GET /tax-rates/:id": { ...reads, request: of("/tax-rates", aTaxRate) },
  "PUT /tax-rates/:id": { ...writes, request: of("/tax-rates", aTaxRate, { rate: 7 }) },
  "DELETE /tax-rates/:id": { ...writes, status: 204, request: of("/tax-rates", aTaxRate) },
};
