import { env } from "cloudflare:workers";
import { paymentAccounts, shippingMethods, shippingZones, taxRates } from "../../../src/platform/db/schema.ts";
import { createJob } from "../../../src/platform/jobs/jobs.ts";
import { aPaymentAccount } from "../../payments/support/accounts.ts";
import { oncePerFile } from "../../support/callers.ts";
import { aCheckedImport, anImport } from "../../support/jobs.ts";
import { money } from "../../support/money.ts";
import { aFeed, aFeedBody, aMethod, asAdministrator, aTaxRate, aZone } from "../../support/settings.ts";
import { db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";
import { aWebhook, deliver, deliveriesOf } from "../../webhooks/support.ts";
import { type AdminEndpoint, type AdminEndpoints, endpoints } from "./endpoint.ts";

let made = 0;

const rows = {
  products: () => `sku,name,type,price\nJOB-${++made},Imported,physical,5\n`,
  customers: () => `email,name\nimported-${++made}@shop.test,Imported\n`,
};

const aJob = async () => ({ id: (await anImport(rows.products(), { as: await asAdministrator() })).job_id });

/** A job for routes that only read it. */
const known = oncePerFile(aJob);

const aWaitingJob = () => {
  const author = { actor: "user:1", address: null, requestId: "test", now: Date.now() };
  return createJob({ db, author }, { kind: "import_products", parameters: {} });
};

const imports = (resource: "products" | "customers", permission: AdminEndpoint["permission"]): AdminEndpoints => {
  const checked = async () => aCheckedImport(rows[resource](), { as: await asAdministrator(), resource });
  const path = `/imports/${resource}`;
  return endpoints(
    { read: permission, write: permission },
    {
      [`GET ${path}`]: {},
      [`POST ${path}`]: { body: () => aForm({}, { content: rows[resource](), name: "rows.csv" }) },
      [`GET ${path}/:id`]: { of: oncePerFile(checked) },
      [`POST ${path}/:id/check`]: { of: checked, body: { decimal_separator: "." }, status: 200 },
      [`POST ${path}/:id/start`]: { of: checked, body: {}, status: 200 },
    },
  );
};

export const jobs: AdminEndpoints = {
  ...endpoints(
    { read: "jobs:read", write: "jobs:write" },
    {
      "GET /jobs": {},
      "GET /jobs/:id": { of: known, also: "products:read_all" },
      "GET /jobs/:id/failures": { of: known, also: "products:read_all" },
      "POST /jobs/:id/cancel": { of: aWaitingJob, body: {}, also: "products:write", status: 200 },
      "POST /jobs/:id/undo": { of: aJob, body: {}, also: "products:write" },
    },
  ),
  ...imports("products", "products:write"),
  ...imports("customers", "users:write"),
};

const exportOf = (permission: AdminEndpoint["permission"]) => ({ make: async () => ({ format: "csv" }), permission });

export const records = endpoints(
  { read: null, write: null },
  {
    "GET /audit-log": {},
    "GET /health": { permission: "metrics:read" },
    "GET /failed-items": {},
    "GET /events": { permission: "events:read" },
    "GET /exports/products/:format": exportOf("products:read_all"),
    "GET /exports/orders/:format": exportOf("orders:read"),
    "GET /exports/order-lines/:format": exportOf("orders:read"),
    "GET /exports/customers/:format": exportOf("users:read"),
    "GET /exports/invoices/:format": exportOf("orders:read"),
    "GET /exports/transactions/:format": exportOf("orders:read"),
    "GET /exports/files/:format": exportOf("files:read_all"),
    "GET /exports/audit-log/:format": exportOf(null),
    "GET /exports/invoices/zip": { permission: "orders:read" },
  },
);

/** A backup without content. */
async function aBackup() {
  const id = `20261126030000000-${++made}`;
  await env.BACKUPS?.put(`manifests/${id}.json`, "{}");
  return { id };
}

/** The body of a request for a backup while none is running. */
async function noBackup() {
  await db.run("UPDATE jobs SET state = 'cancelled' WHERE kind = 'back_up'");
  return {};
}

/** A request to apply a preset to an empty shop. */
const preset = (place: Record<string, string>) => ({
  body: async () => {
    await db.batch([db.delete(shippingMethods), db.delete(shippingZones), db.delete(taxRates)]);
    return { ...place, shipping_prices: { home: money(4.9) } };
  },
  status: 200,
});

const aNewMethod = async () => ({
  zone_id: (await aZone()).id,
  name: "Parcel",
  kind: "flat_rate",
  price: money(4.9),
  free_from: money(50),
});

export const settings = endpoints(
  { read: "settings:read", write: "settings:write" },
  {
    "GET /shop": {},
    "PUT /shop": { body: () => ({ name: `Shop ${++made}` }) },
    "GET /email-texts": { permission: null },
    "PUT /email-texts/:template/:language": {
      make: async () => ({ template: "order_confirmation", language: "de", body: { subject: `Danke ${++made}` } }),
      permission: null,
    },
    "GET /pages": {},
    "PUT /pages/:slug/:language": {
      make: async () => ({ slug: "terms", language: "de", body: { title: "AGB", text: `§ ${++made}` } }),
    },
    "GET /agents": {},
    "GET /backups": {},
    "GET /backups/:id": { of: aBackup },
    "POST /backups": { body: noBackup },
    "GET /feeds": {},
    "POST /feeds": { body: () => aFeedBody() },
    "GET /feeds/:id": { of: aFeed },
    "PUT /feeds/:id": { of: aFeed, body: { name: "Elsewhere" } },
    "DELETE /feeds/:id": { of: aFeed },
    "POST /feeds/:id/address": { of: aFeed, body: {}, status: 200 },
    "GET /payment-settings": {},
    "PUT /payment-settings": { body: () => ({ cash: { instructions: `At desk ${++made}` } }) },
    "GET /payment-accounts": { permission: null },
    "PUT /payment-accounts/stripe": { permission: null, body: { secret_key: "sk_test_endpoints" } },
    "PUT /payment-accounts/paypal": {
      permission: null,
      body: { client_id: "client-endpoints", client_secret: "secret", live: false },
    },
    "DELETE /payment-accounts/:provider": {
      permission: null,
      make: async () => {
        await db.delete(paymentAccounts);
        await aPaymentAccount("paypal");
        return { provider: "paypal" };
      },
    },
    "POST /shop/presets/eu": preset({ home_country: "DE" }),
    "POST /shop/presets/us": preset({ home_region: "NY" }),
    "POST /shop/presets/country": preset({ home_country: "GB" }),
    "GET /shipping-zones": {},
    "POST /shipping-zones": { body: { name: "Nowhere yet" } },
    "GET /shipping-zones/:id": { of: aZone },
    "PUT /shipping-zones/:id": { of: aZone, body: { name: "Elsewhere" } },
    "DELETE /shipping-zones/:id": { of: aZone },
    "GET /shipping-methods": {},
    "POST /shipping-methods": { body: aNewMethod },
    "GET /shipping-methods/:id": { of: aMethod },
    "PUT /shipping-methods/:id": { of: aMethod, body: { price: money(5.9) } },
    "DELETE /shipping-methods/:id": { of: aMethod },
    "GET /tax-rates": {},
    "POST /tax-rates": { body: () => ({ name: `Tax ${++made}`, country: "FR", rate: 20 }) },
    "GET /tax-rates/:id": { of: aTaxRate },
    "PUT /tax-rates/:id": { of: aTaxRate, body: { rate: 7 } },
    "DELETE /tax-rates/:id": { of: aTaxRate },
  },
);

// No event types, so that a caller without other permissions may write the endpoint too.
const fields = { url: "https://receiver.example/webhooks", types: [], description: "Warehouse" };

const anEndpoint = () => aWebhook({ types: [] });

export const webhooks = endpoints(
  { read: "webhooks:read", write: "webhooks:write" },
  {
    "GET /webhooks": {},
    "POST /webhooks": { body: fields },
    "GET /webhooks/:id": { of: anEndpoint },
    "PUT /webhooks/:id": { of: anEndpoint, body: fields },
    "DELETE /webhooks/:id": { of: anEndpoint },
    "POST /webhooks/:id/rotate": { of: anEndpoint, body: { grace_seconds: 60 }, status: 200 },
    "POST /webhooks/:id/test": { of: anEndpoint, body: {}, status: 200 },
    "GET /webhooks/:id/deliveries": { of: anEndpoint },
    "POST /webhooks/:id/deliveries/:delivery/retry": {
      make: async () => {
        const webhook = await anEndpoint();
        await webhook.sendTest();
        await deliver(webhook);
        const [{ id }] = await deliveriesOf(webhook);
        return { id: webhook.id, delivery: id, body: {} };
      },
      status: 204,
    },
    "POST /webhooks/:id/replay": {
      of: anEndpoint,
      body: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
      status: 204,
    },
  },
);
