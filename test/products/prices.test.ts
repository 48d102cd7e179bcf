import { asc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { deleteOldPrices } from "../../src/catalogue/products/price-history.ts";
import type { UnitPricing } from "../../src/domain/unit-pricing.ts";
import { priceHistory, products } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { asAdministrator } from "../support/settings.ts";
import { aParent, aProduct, aUser, aVariant, db } from "../support/shop.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Changes a product as if it were some days ago. */
const change = (id: number, daysAgo: number, columns: { price?: number; compareAtPrice?: number | null }) =>
  db
    .update(products)
    .set({ ...columns, updatedAt: Date.now() - daysAgo * DAY })
    .where(eq(products.id, id));

const shown = async (id: number) => {
  const { token: as } = await aUser();
  const { price, compare_at_price, prior_price } = (await call(`GET /products/${id}`, { as })).body.data;
  return { price, compare_at_price, prior_price };
};

const historyOf = (id: number) =>
  db.select().from(priceHistory).where(eq(priceHistory.productId, id)).orderBy(asc(priceHistory.id));

it("shows the lowest price of the 30 days before a reduction", async () => {
  const { id } = await aProduct({ price: 10_000 });
  await change(id, 50, { price: 5_000 });
  await change(id, 40, { price: 9_000 });
  await change(id, 20, { price: 7_000 });
  await change(id, 15, { price: 12_000 });
  expect((await shown(id)).prior_price).toBeNull();
  await change(id, 1, { price: 8_000, compareAtPrice: 12_000 });
  expect(await shown(id)).toEqual({ price: 80, compare_at_price: 120, prior_price: 70 });
  await change(id, 0, { compareAtPrice: null });
  expect((await shown(id)).prior_price).toBeNull();
});

it("counts the price itself if only the comparison is new, so that raising it first gains nothing", async () => {
  const raised = await aProduct({ price: 8_000 });
  await change(raised.id, 3, { price: 12_000 });
  await change(raised.id, 0, { price: 8_000, compareAtPrice: 12_000 });
  expect((await shown(raised.id)).prior_price).toBe(80);
  const compared = await aProduct({ price: 8_000 });
  await change(compared.id, 0, { compareAtPrice: 12_000 });
  expect((await shown(compared.id)).prior_price).toBe(80);
});

it("is the variant's own, and in the list of its product's variants", async () => {
  const as = await asAdministrator();
  const options = [{ name: "Size", values: ["S", "M"] }];
  const body = { name: "Shirt", sku: "PRIOR", type: "service", price: 20, options, status: "active" };
  const { id } = (await call("POST /admin/products", { as, body })).body.data;
  await call(`POST /admin/products/${id}/variants`, { as, body: { generate: true, price: 20 } });
  const [small] = (await call(`GET /admin/products/${id}`, { as })).body.data.variants;
  const reduced = { price: 15, compare_at_price: 20 };
  expect((await call(`PUT /admin/products/${small.id}`, { as, body: reduced })).status).toBe(200);
  const { variants } = (await call(`GET /admin/products/${id}`, { as })).body.data;
  expect(variants.map((variant: { prior_price: number | null }) => variant.prior_price)).toEqual([20, null]);
  expect(await historyOf(id)).toEqual([]);
});

it("writes a row for a change of the price and none for others, and forgets it after 30 days", async () => {
  const { id } = await aProduct({ price: 1_000 });
  await change(id, 31, { price: 2_000 });
  await change(id, 2, { price: 3_000 });
  await change(id, 1, { price: 3_000 });
  expect((await historyOf(id)).map(({ price }) => price)).toEqual([1_000, 2_000]);
  await deleteOldPrices(db, Date.now());
  expect((await historyOf(id)).map(({ price }) => price)).toEqual([2_000]);
});

const grams = (value: number, reference = { value: 100, unit: "g" }) => ({ measure: { value, unit: "g" }, reference });

/** 250 g, priced for 100 g. */
const STORED: UnitPricing = { measure: 250_000, unit: "g", reference: 100, referenceUnit: "g" };

const unitPricingOf = async (id: number) => {
  const { token: as } = await aUser();
  return (await call(`GET /products/${id}`, { as })).body.data.unit_pricing;
};

it("is computed for the price that is unitPricingOf, in every response with the product", async () => {
  const as = await asAdministrator();
  const { token: shopper } = await aUser();
  const body = { name: "Almonds", sku: "ALMONDS", type: "physical", price: 9.95, unit_pricing: grams(250) };
  const created = (await call("POST /admin/products", { as, body: { ...body, status: "active" } })).body.data;
  const pricing = { price: 3.98, ...grams(250) };
  expect(created.unit_pricing).toEqual(pricing);
  const id = created.id;
  await call("POST /cart", { as: shopper, body: { product_id: id } });
  expect((await call("GET /products?search=almonds", { as: shopper })).body.data[0].unit_pricing).toEqual(pricing);
  expect((await call("GET /cart", { as: shopper })).body.data.items[0]).toMatchObject({
    unit_price: 9.95,
    unit_pricing: pricing,
  });
  await call(`PUT /admin/products/${id}`, { as, body: { price: 7.5, compare_at_price: 9.95 } });
  expect(await unitPricingOf(id)).toEqual({ price: 3, ...grams(250) });
  await call(`PUT /admin/products/${id}`, { as, body: { unit_pricing: grams(250, { value: 1, unit: "kg" }) } });
  expect((await unitPricingOf(id)).price).toBe(30);
  await call(`PUT /admin/products/${id}`, { as, body: { status: "draft" } });
  expect((await call("GET /cart", { as: shopper })).body.data.items[0].unit_pricing).toBeNull();
  await call(`PUT /admin/products/${id}`, { as, body: { status: "active", unit_pricing: null } });
  expect(await unitPricingOf(id)).toBeNull();
});

it("may be sent back as it was read, but its price is computed", async () => {
  const as = await asAdministrator();
  const { id } = await aProduct({ unitPricing: STORED });
  const { unit_pricing } = (await call(`GET /admin/products/${id}`, { as })).body.data;
  expect((await call(`PUT /admin/products/${id}`, { as, body: { brand: "Nuts", unit_pricing } })).status).toBe(200);
  const refused = await call(`PUT /admin/products/${id}`, {
    as,
    body: { unit_pricing: { ...unit_pricing, price: 1 } },
  });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ["unit_pricing.price"]]);
  expect(await unitPricingOf(id)).toEqual(unit_pricing);
});

it.each([
  [grams(0), "unit_pricing.measure.value"],
  [grams(-250), "unit_pricing.measure.value"],
  [grams(0.0005), "unit_pricing.measure.value"],
  [grams(1.0005), "unit_pricing.measure.value"],
  [grams(1e21), "unit_pricing.measure.value"],
  [grams(250, { value: 1.5, unit: "kg" }), "unit_pricing.reference.value"],
  [grams(250, { value: 1, unit: "l" }), "unit_pricing.reference.unit"],
  [grams(250, { value: 1, unit: "bar" }), "unit_pricing.reference.unit"],
  [{ measure: { value: 250, unit: "g" } }, "unit_pricing.reference"],
  ["250 g", "unit_pricing"],
])("of %j is refused with an error for %s", async (unit_pricing, field) => {
  const as = await asAdministrator();
  const { id } = await aProduct();
  const { status, body } = await call(`PUT /admin/products/${id}`, { as, body: { unit_pricing } });
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  expect(await unitPricingOf(id)).toBeNull();
});

it("is inherited by variants that have none of their own", async () => {
  const as = await asAdministrator();
  const options = [{ name: "Bag", values: ["Small", "Large"] }];
  const body = { name: "Coffee", sku: "COFFEE", type: "physical", price: 5, options, status: "active" };
  const { id } = (await call("POST /admin/products", { as, body: { ...body, unit_pricing: grams(250) } })).body.data;
  await call(`POST /admin/products/${id}/variants`, { as, body: { generate: true, price: 5 } });
  const [small, large] = (await call(`GET /admin/products/${id}`, { as })).body.data.variants;
  expect([small.unit_pricing.price, large.unit_pricing.price]).toEqual([2, 2]);
  const own = await call(`PUT /admin/products/${large.id}`, { as, body: { price: 16, unit_pricing: grams(1_000) } });
  expect(own.body.data.unit_pricing.price).toBe(1.6);
  expect(own.body.data.inherits).not.toContain("unit_pricing");
  const same = await call(`PUT /admin/products/${small.id}`, { as, body: { unit_pricing: grams(250) } });
  expect(same.body.data.inherits).toContain("unit_pricing");
  await call(`PUT /admin/products/${id}`, { as, body: { unit_pricing: grams(200) } });
  const { variants } = (await call(`GET /admin/products/${id}`, { as })).body.data;
  expect(variants.map((variant: { unit_pricing: unknown }) => variant.unit_pricing)).toEqual([
    { price: 2.5, ...grams(200) },
    { price: 1.6, ...grams(1_000) },
  ]);
});

it("is unitPricingOf with a product's lowest price for the content of the variant that has this price", async () => {
  const as = await asAdministrator();
  const parent = await aParent({ unitPricing: { ...STORED, measure: 999_000 } });
  expect(await unitPricingOf(parent.id)).toBeNull();
  const large = await aVariant(parent, { price: 1_500, unitPricing: { ...STORED, measure: 500_000 } });
  expect(await unitPricingOf(parent.id)).toEqual({ price: 3, ...grams(500) });
  const small = await aVariant(parent, { price: 1_000, unitPricing: STORED });
  expect(await unitPricingOf(parent.id)).toEqual({ price: 4, ...grams(250) });
  await call(`PUT /admin/products/${small.id}`, { as, body: { unit_pricing: grams(200) } });
  expect(await unitPricingOf(parent.id)).toEqual({ price: 5, ...grams(200) });
  await call(`PUT /admin/products/${large.id}`, { as, body: { price: 9 } });
  expect(await unitPricingOf(parent.id)).toEqual({ price: 1.8, ...grams(500) });
  await call(`PUT /admin/products/${large.id}`, { as, body: { status: "draft" } });
  expect(await unitPricingOf(parent.id)).toEqual({ price: 5, ...grams(200) });
  await call(`DELETE /admin/products/${small.id}`, { as });
  expect(await unitPricingOf(parent.id)).toBeNull();
  expect((await call(`GET /admin/products/${parent.id}`, { as })).body.data.unit_pricing).toMatchObject(grams(999));
});

it("is held by the database to whole positive quantities in units that convert", async () => {
  const { id } = await aProduct({ unitPricing: STORED });
  const wrong: Partial<Record<keyof UnitPricing, unknown>>[] = [
    { measure: 0 },
    { measure: 0.5 },
    { measure: "250" },
    { reference: -1 },
    { referenceUnit: "l" },
    { unit: "bar", referenceUnit: "bar" },
    { unit: undefined },
  ];
  for (const part of wrong) {
    const unitPricing = { ...STORED, ...part } as UnitPricing;
    const write = db.update(products).set({ unitPricing }).where(eq(products.id, id));
    await expect(write, JSON.stringify(part)).rejects.toThrow();
    await expect(aProduct({ unitPricing }), JSON.stringify(part)).rejects.toThrow();
  }
});
