import type { Shop } from "./shop.ts";

export async function managePages(shop: Shop): Promise<void> {
  await shop.record("listEmailTexts");
  const path = { template: "order_confirmation", language: "de" };
  await shop.record("updateEmailText", { path, body: { subject: "Danke für Ihre Bestellung {order}" } });
  const terms = { title: "Terms and conditions", text: "## Delivery\nWe deliver within three days." };
  await shop.record("adminListPages");
  await shop.record("updatePage", { path: { slug: "terms", language: "en" }, body: terms });
  await shop.record("listPages");
  await shop.record("getPage", { path: { slug: "terms" } });
}

export async function setUp(shop: Shop): Promise<void> {
  await manageFeeds(shop);
  await shop.record("listAgents");
  const address = { name: "Lamp & Co", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
  const body = { name: "Lamp & Co", address, home_country: "DE", prices_include_tax: true };
  await shop.record("updateShop", { body });
  await shop.record("getShop");
  const bank_transfer = { instructions: "IBAN DE02 1203 0000 0000 2020 51. Name the order number.", days: 7 };
  await shop.record("updatePaymentSettings", { body: { bank_transfer, cash: { offered: true } } });
  await shop.record("getPaymentSettings");
  const paypal = { client_id: "client-example", client_secret: "secret-example", live: true };
  await shop.record("updatePaypalAccount", { as: shop.tokens.admin, body: paypal });
  await shop.record("listPaymentAccounts");
  await shop.record("deletePaymentAccount", { as: shop.tokens.admin, path: { provider: "paypal" } });
  const zone = await manageZones(shop);
  await manageMethods(shop);
  await shop.record("deleteShippingZone", zone);
  await manageTaxRates(shop);
}

/** Withdraws from an order, which shops in the European Union offer. */
export const withdraw = (shop: Shop) =>
  shop.record("createWithdrawal", { body: { name: "Robin Hale", email: "robin@example.com", order: "#1002" } });

/** Applies each preset to a shop without shipping and taxes. */
export async function applyPresets(shop: Shop): Promise<void> {
  const as = shop.access.api_keys.premium;
  await takeBack(shop, as);
  const inUs = { home_region: "NY", states: ["CA"], shipping_prices: { home: 5 } };
  await shop.record("applyUsPreset", { body: inUs });
  await takeBack(shop, as);
  const inEu = { home_country: "DE", shipping_prices: { home: 4.9, eu: 9.9, world: null } };
  await shop.record("applyEuPreset", { body: inEu });
  await takeBack(shop, as);
  const inAustralia = { home_country: "AU", shipping_prices: { home: 8, world: null } };
  await shop.record("applyCountryPreset", { body: inAustralia });
  await takeBack(shop, as);
}

async function manageFeeds(shop: Shop): Promise<void> {
  await shop.record("listFeeds", { query: { per_page: "1" } });
  const product_url = "https://shop.example.com/products/{id}";
  const body = { name: "Google, Germany", format: "google", country: "DE", product_url };
  const { id } = await shop.record("createFeed", { body });
  const it = { path: { id } };
  await shop.record("getFeed", it);
  await shop.record("updateFeed", { ...it, body: { name: "Google Shopping, Germany" } });
  await shop.record("rotateFeedUrl", { ...it, body: {} });
  await shop.record("deleteFeed", it);
}

async function manageZones(shop: Shop) {
  await shop.record("listShippingZones", { query: { per_page: "1" } });
  const { id } = await shop.record("createShippingZone", { body: { name: "Germany", places: [{ country: "DE" }] } });
  const it = { path: { id } };
  await shop.record("getShippingZone", it);
  const places = [{ country: "DE" }, { country: "AT" }];
  await shop.record("updateShippingZone", { ...it, body: { name: "Germany and Austria", places } });
  return it;
}

/** The zone of the demo's home. */
const HOME = 1;

async function manageMethods(shop: Shop): Promise<void> {
  const brackets = [
    { up_to_grams: 2000, price: 4.9 },
    { up_to_grams: 10_000, price: 8.9 },
  ];
  const days = { min_days: 2, max_days: 3 };
  await shop.record("listShippingMethods", { query: { zone_id: String(HOME), per_page: "1" } });
  const { id } = await shop.record("createShippingMethod", {
    body: { zone_id: HOME, name: "Parcel", kind: "weight", brackets, free_from: 50, ...days },
  });
  const it = { path: { id } };
  await shop.record("getShippingMethod", it);
  await shop.record("updateShippingMethod", { ...it, body: { free_from: 75 } });
  await shop.record("deleteShippingMethod", it);
}

async function manageTaxRates(shop: Shop): Promise<void> {
  await shop.record("listTaxRates", { query: { country: "GB", per_page: "1" } });
  const body = { name: "VAT", country: "DE", tax_class: "standard", rate: 19, taxes_shipping: true };
  const { id } = await shop.record("createTaxRate", { body });
  const it = { path: { id } };
  await shop.record("getTaxRate", it);
  await shop.record("updateTaxRate", { ...it, body: { rate: 19.5 } });
  await shop.record("deleteTaxRate", it);
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
