import { and, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { auditLog, stockAdjustments } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { productNow } from "../support/orders.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { aParent, aProduct, aUser, aVariant, db, onPurpose, orderOf } from "../support/shop.ts";

// One page to count the stock of all products.

const anAdmin = shared(() => anAdministrator());
const PATH = "/admin/inventory";

const buy = async (product: { id: number; price: number }, quantity: number, as: string) =>
  (await call("POST /orders", { as, body: orderOf(product, quantity), headers: onPurpose() })).body.data;

/** The cells of a product's row. */
function cellsOf(html: string, name: string): string[] {
  const row = (html.match(/<tr[\s\S]*?<\/tr>/g) ?? []).find((each) => each.includes(name)) ?? "";
  return row.split("<td").map((cell) => cell.replaceAll(/^[^>]*>|<[^>]*>/g, ""));
}

async function save(counts: Record<string, string>, path = PATH) {
  const { get, post } = await anAdmin();
  return post(path, { ...fieldsOf(await get(path), path.replaceAll("&", "&amp;")), ...counts });
}

it("lists what is counted, with units in open orders and sold in 30 days", async () => {
  const [lamp, shirt] = [await aProduct({ name: "Lamp", sku: "A-1", stock: 9, price: 500 }), await aParent()];
  const variant = await aVariant(shirt, { sku: "B-1", stock: 4, price: 500 });
  await aProduct({ name: "Endless", stock: null });
  const { token } = await aUser({ wallet: 100_000 });
  await buy(lamp, 2, token);
  const admin = await anAdmin();
  await admin.get("/admin/sales");
  const { html } = await admin.get(PATH);
  expect(cellsOf(html, "A-1").slice(3, 6)).toEqual(["7", "2", "2"]);
  expect([html.includes(variant.sku), html.includes("Endless")]).toEqual([true, false]);
  expect((await admin.get(`${PATH}?search=B-1`)).html).not.toContain("A-1");
});

it("saves what was counted, with one adjustment and one audit entry for each change", async () => {
  const items = [await aProduct({ stock: 5 }), await aProduct({ stock: 6 }), await aProduct({ stock: 7 })];
  const [one, other, same] = items.map(({ id }) => id);
  const saved = await save({
    [`counts.${one}.on_hand`]: "3",
    [`counts.${other}.on_hand`]: "10",
    reason: "Counted in May",
  });
  expect([saved.status, saved.location]).toEqual([303, PATH]);
  const now = await Promise.all(items.map(async ({ id }) => (await productNow(id))?.stockQuantity));
  expect(now).toEqual([3, 10, 7]);
  const entries = (id = 0) =>
    db.$count(auditLog, and(eq(auditLog.subjectId, id), eq(auditLog.action, "product.adjust_stock")));
  expect([await entries(one), await entries(other), await entries(same)]).toEqual([1, 1, 0]);
  const [adjustment] = await db
    .select()
    .from(stockAdjustments)
    .where(eq(stockAdjustments.productId, one ?? 0));
  expect(adjustment).toMatchObject({ delta: -2, reason: "Counted in May" });
});

it("keeps orders that were placed and shipped while somebody counted", async () => {
  const [counted, sold] = [await aProduct({ stock: 5, price: 500 }), await aProduct({ stock: 5, price: 500 })];
  const { get, post } = await anAdmin();
  const fields = fieldsOf(await get(PATH), PATH);
  const { token } = await aUser({ wallet: 100_000 });
  const { id } = await buy(sold, 2, token);
  await call(`POST /admin/orders/${id}/shipments`, { as: await asAdministrator(), body: { carrier: "DHL" } });
  await buy(counted, 1, token);
  expect((await post(PATH, { ...fields, [`counts.${counted.id}.on_hand`]: "8" })).status).toBe(303);
  expect((await productNow(counted.id))?.stockQuantity).toBe(7);
  expect((await productNow(sold.id))?.stockQuantity).toBe(3);
});

it("changes nothing if one count is less than open orders hold, and says which", async () => {
  const [held, other] = [await aProduct({ stock: 5, price: 500 }), await aProduct({ stock: 5 })];
  const { token } = await aUser({ wallet: 100_000 });
  await buy(held, 3, token);
  const refused = await save({ [`counts.${held.id}.on_hand`]: "2", [`counts.${other.id}.on_hand`]: "9" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("must be at least 3");
  expect((await productNow(other.id))?.stockQuantity).toBe(5);
  const { get, post } = await anAdmin();
  expect((await post(PATH, fieldsOf(await get(PATH), PATH))).status).toBe(303);
  expect((await save({ [`counts.${held.id}.on_hand`]: "few" })).status).toBe(400);
});

it("is only read by staff who cannot change products", async () => {
  const { id } = await aProduct({ stock: 5 });
  const { get, post } = await anAdministrator({ role: "support" });
  expect((await get(PATH)).html).not.toContain("Save counts");
  expect((await post(PATH, { [`counts.${id}.on_hand`]: "1" })).status).toBe(403);
});
