import type { Shop } from "./shop.ts";

/** An administrator says where the shop is, what shipping costs, and which taxes there are. */
export async function setUp(shop: Shop, as: string): Promise<void> {
  const address = { name: "Lamp & Co", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
  const body = { name: "Lamp & Co", address, home_country: "DE", prices_include_tax: true };
  await shop.record("updateShop", { as, body });
  await shop.record("getShop", { as });
  const zone = await manageZones(shop, as);
  await manageMethods(shop, as, zone);
  await shop.record("deleteShippingZone", { as, path: { id: zone } });
  await manageTaxRates(shop, as);
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
