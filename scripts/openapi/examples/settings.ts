import type { Shop } from "./shop.ts";

export async function setUp(shop: Shop, administrator: string): Promise<void> {
  const permissions = ["settings:read", "settings:write"];
  const body = { name: "Settings", permissions, tier: "premium" };
  const { id, key: as } = await shop.ask("createApiKey", { as: administrator, body });
  await manageShop(shop, as, administrator);
  await shop.ask("revokeApiKey", { as: administrator, path: { id } });
  const path = { template: "order_confirmation", language: "de" };
  const text = { subject: "Danke für Ihre Bestellung {order}" };
  await shop.record("updateEmailText", { as: administrator, path, body: text });
  await shop.record("listEmailTexts", { as: administrator });
}

async function manageShop(shop: Shop, as: string, administrator: string): Promise<void> {
  const address = { name: "Lamp & Co", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
  const body = { name: "Lamp & Co", address, home_country: "DE", prices_include_tax: true };
  await shop.record("updateShop", { as, body });
  await shop.record("createWithdrawal", { body: { name: "Robin Hale", email: "robin@example.com", order: "#1002" } });
  const terms = { title: "Terms and conditions", text: "## Delivery\nWe deliver within three days." };
  await shop.record("updatePage", { as, path: { slug: "terms", language: "en" }, body: terms });
  await shop.record("adminListPages", { as });
  await shop.record("listPages", { as: administrator });
  await shop.record("getPage", { as: administrator, path: { slug: "terms" } });
  await shop.record("getShop", { as });
  await shop.record("listAgents", { as });
  await manageFeeds(shop, as);
  const bank_transfer = { instructions: "IBAN DE02 1203 0000 0000 2020 51. Name the order number.", days: 7 };
  await shop.record("updatePaymentSettings", { as, body: { bank_transfer, cash: { offered: true } } });
  await shop.record("getPaymentSettings", { as });
  const zone = await manageZones(shop, as);
  await manageMethods(shop, as, zone);
  await shop.record("deleteShippingZone", { as, path: { id: zone } });
  await manageTaxRates(shop, as);
  const inUs = { home_region: "NY", states: ["CA"], shipping_prices: { home: 5 } };
  await shop.record("applyUsPreset", { as, body: inUs });
  await takeBack(shop, as);
  const inEu = { home_country: "DE", shipping_prices: { home: 4.9, eu: 9.9, world: null } };
  await shop.record("applyEuPreset", { as, body: inEu });
  await takeBack(shop, as);
  const inAustralia = { home_country: "AU", shipping_prices: { home: 8, world: null } };
  await shop.record("applyCountryPreset", { as, body: inAustralia });
  await takeBack(shop, as);
}

async function manageFeeds(shop: Shop, as: string): Promise<void> {
  const product_url = "https://shop.example.com/products/{id}";
  const body = { name: "Google, Germany", format: "google", country: "DE", product_url };
  const { id } = await shop.record("createFeed", { as, body });
  await shop.record("listFeeds", { as, query: { per_page: "1" } });
  await shop.record("getFeed", { as, path: { id } });
  await shop.record("updateFeed", { as, path: { id }, body: { name: "Google Shopping, Germany" } });
  await shop.record("rotateFeedUrl", { as, path: { id }, body: {} });
  await shop.record("deleteFeed", { as, path: { id } });
}

async function manageZones(shop: Shop, as: string): Promise<number> {
  const body = { name: "Germany", places: [{ country: "DE" }] };
  const { id } = await shop.record("createShippingZone", { as, body });
  await shop.record("listShippingZones", { as, query: { per_page: "1" } });
  await shop.record("getShippingZone", { as, path: { id } });
  const places = [{ country: "DE" }, { country: "AT" }];
  await shop.record("updateShippingZone", { as, path: { id }, body: { name: "Germany and Austria", places } });
  return id;
}

async function manageMethods(shop: Shop, as: string, zone: number): Promise<void> {
  const brackets = [
    { up_to_grams: 2000, price: 4.9 },
    { up_to_grams: 10_000, price: 8.9 },
  ];
  const days = { min_days: 2, max_days: 3 };
  const body = { zone_id: zone, name: "Parcel", kind: "weight", brackets, free_from: 50, ...days };
  const { id } = await shop.record("createShippingMethod", { as, body });
  await shop.record("listShippingMethods", { as, query: { zone_id: String(zone), per_page: "1" } });
  await shop.record("getShippingMethod", { as, path: { id } });
  await shop.record("updateShippingMethod", { as, path: { id }, body: { free_from: 75 } });
  await shop.record("deleteShippingMethod", { as, path: { id } });
}

async function manageTaxRates(shop: Shop, as: string): Promise<void> {
  const body = { name: "VAT", country: "DE", tax_class: "standard", rate: 19, taxes_shipping: true };
  const { id } = await shop.record("createTaxRate", { as, body });
  await shop.record("listTaxRates", { as, query: { country: "DE", per_page: "1" } });
  await shop.record("getTaxRate", { as, path: { id } });
  await shop.record("updateTaxRate", { as, path: { id }, body: { rate: 19.5 } });
  await shop.record("deleteTaxRate", { as, path: { id } });
}

/** Deletes everything that a preset created. */
async function takeBack(shop: Shop, as: string): Promise<void> {
  const all = { as, query: { per_page: "100" } };
  for (const { id } of await shop.ask("listShippingMethods", all))
    await shop.ask("deleteShippingMethod", { as, path: { id } });
  for (const { id } of await shop.ask("listShippingZones", all))
    await shop.ask("deleteShippingZone", { as, path: { id } });
  for (const { id } of await shop.ask("listTaxRates", all)) await shop.ask("deleteTaxRate", { as, path: { id } });
}
