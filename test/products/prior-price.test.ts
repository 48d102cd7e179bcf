import { asc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { deleteOldPrices } from "../../src/catalogue/products/price-history.ts";
import { priceHistory, products } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct, aUser, db } from "../support/shop.ts";

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
