import { inject } from "vitest";
import { it as browserIt } from "../browser/it.ts";
import { aCheckout, type OpenShop } from "../checkout.ts";
import { asAdmin } from "../shopper.ts";
import { openExample } from "./open.ts";

/** A shop of its own that sends to Germany, with 19 % in its prices, and to everywhere else, and the example in front. */
export const it = browserIt.extend("taxedShop", { scope: "file" }, async ({ browser: _browser }, { onCleanup }) => {
  const checkout = await aCheckout(inject("state"));
  const shop = await checkout.start();
  const example = await openExample(shop);
  onCleanup(async () => {
    example.close();
    await checkout.kill();
    checkout.remove();
  });
  await setPrices(shop);
  return { ...shop, example: example.baseURL };
});

async function setPrices(shop: OpenShop): Promise<void> {
  const api = await asAdmin(shop);
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
