import { desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { discounts } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aDiscount } from "../support/pricing.ts";
import { aCategory, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  await db.update(discounts).set({ enabled: false });
  admin = await anAdmin();
});

const newest = () => db.select().from(discounts).orderBy(desc(discounts.id)).limit(1).get();
const rowOf = (id: number) => db.select().from(discounts).where(eq(discounts.id, id)).get();

/** The form of a new discount, before anything is typed. */
const opened = async () => fieldsOf(await admin.get("/admin/discounts/new"), "/admin/discounts");

describe("the form of a discount", () => {
  it("creates a discount from typed values, with decimal commas and lists of ids, and opens its page", async () => {
    const [product, other] = [await aProduct({ name: "Lamp" }), await aProduct()];
    const category = await aCategory("Posters");
    await aCategory("Books");
    const { status, location } = await admin.post("/admin/discounts", {
      ...(await opened()),
      name: "Spring",
      code: "spring-27",
      percent: "8,875 %",
      category_ids: [String(category.id)],
      product_ids: [String(other.id), String(product.id)],
      minimum_subtotal: "1.250,00",
      starts_at: "2026-01-01T00:00",
      max_uses: "10",
    });
    expect(status).toBe(303);
    const row = await newest();
    expect(location).toBe(`/admin/discounts/${row?.id}`);
    expect(row).toMatchObject({
      name: "Spring",
      code: "SPRING-27",
      kind: "percentage",
      percent: 88_750,
      amount: null,
      productIds: [product.id, other.id],
      categoryIds: [category.id],
      minimumSubtotal: 125_000,
      startsAt: Date.parse("2026-01-01T00:00:00Z"),
      endsAt: null,
      maxUses: 10,
      combinable: true,
      priority: 0,
      enabled: true,
    });
    const { html } = await admin.get(String(location));
    const [first = ""] = html.match(/<input[^>]*name="category_ids"[^>]*>/g) ?? [];
    expect(first).not.toContain("checked");
    for (const words of ["Spring was created", "8.875 % off Posters", "Lamp <small", "0 of 10"])
      expect(html).toContain(words);
    expect((await admin.get("/admin/discounts?search=spring-2")).html).toContain("8.875 % off Posters");
  });

  it("drops values typed into fields of another kind", async () => {
    const typed = { name: "Amount", kind: "amount", amount: "5", percent: "10", buy_quantity: "x" };
    expect((await admin.post("/admin/discounts", { ...(await opened()), ...typed })).status).toBe(303);
    expect(await newest()).toMatchObject({ code: null, kind: "amount", amount: 500, percent: null, buyQuantity: null });
  });

  it("is shown again with the errors and the typed values", async () => {
    const typed = { name: "Gone", code: "A B C", percent: "", product_ids: "999999" };
    const { status, html } = await admin.post("/admin/discounts", { ...(await opened()), ...typed });
    expect(status).toBe(400);
    expect(html).toContain("may only contain the letters A to Z");
    expect(html).toContain('value="A B C"');
    const again = await admin.post("/admin/discounts", { ...(await opened()), ...typed, code: "" });
    expect(again.html).toContain("is required for a discount of this kind");
    expect(again.html).toContain("product 999999 does not exist");
  });

  it("quickly refuses a percentage with many spaces", async () => {
    const percent = `5${" ".repeat(200_000)}x`;
    const { status, html } = await admin.post("/admin/discounts", { ...(await opened()), name: "Slow", percent });
    expect(status).toBe(400);
    expect(html).toContain('href="#admin-discounts-percent"');
  });

  it("changes only the kind, saves only changes, and keeps ids of deleted records", async () => {
    const { id } = await aDiscount({ productIds: [999_999], maxUses: 3, uses: 2 });
    const path = `/admin/discounts/${id}`;
    const form = fieldsOf(await admin.get(path), path);
    expect((await admin.post(path, { ...form, kind: "free_shipping" })).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ kind: "free_shipping", percent: null, productIds: [999_999], uses: 2 });
    const { enabled: _, ...off } = fieldsOf(await admin.get(path), path);
    expect((await admin.post(path, off)).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ enabled: false, combinable: true, maxUses: 3 });
  });

  it("previews what customers get by a form that is not complete yet, and saves nothing", async () => {
    const product = await aProduct({ name: "Lamp" });
    const [before, form] = [await newest(), await opened()];
    expect((await admin.get("/admin/discounts/new")).html).toContain("Fill in the value");
    const preview = (typed: Record<string, string>) =>
      admin.post("/admin/discounts", { ...form, ...typed, do: "preview" });
    const typed = { percent: "20", product_ids: String(product.id), minimum_subtotal: "50", code: "lamp-20" };
    const { status, html } = await preview(typed);
    expect(status).toBe(200);
    for (const words of ["20 % off Lamp, from $50.00", "<code>LAMP-20</code>", "It is not saved yet", 'value="20"'])
      expect(html).toContain(words);
    expect((await preview({ ...typed, kind: "buy_x_get_y", buy_quantity: "2" })).html).toContain("Fill in the value");
    expect((await preview({ ...typed, percent: "much" })).html).toContain("Fill in the value");
    expect(await newest()).toEqual(before);
  });

  it("previews a change of a discount, with what it covers", async () => {
    const product = await aProduct({ name: "Desk" });
    const { id } = await aDiscount({ percent: 100_000 });
    const path = `/admin/discounts/${id}`;
    const before = await admin.get(path);
    expect(before.html).toContain("10 % off everything");
    const form = { ...fieldsOf(before, path), percent: "30", product_ids: String(product.id), do: "preview" };
    expect((await admin.post(path, form)).html).toContain("30 % off Desk");
    expect((await admin.post(path, { ...form, kind: "free_shipping" })).html).toContain("Free shipping with Desk");
    expect(await rowOf(id)).toMatchObject({ percent: 100_000, productIds: [], kind: "percentage" });
    await admin.post(path, { ...form, do: "" });
    const chosen = fieldsOf(await admin.get(path), path);
    const all = { ...chosen, applies_to: "all_products", do: "preview" };
    expect((await admin.post(path, all)).html).toContain("30 % off everything");
  });

  it("deletes an unused discount", async () => {
    const { id } = await aDiscount();
    const { status, location } = await admin.post(`/admin/discounts/${id}/delete`, {});
    expect([status, location, await rowOf(id)]).toEqual([303, "/admin/discounts", undefined]);
  });
});

describe("the page of a discount that was used", () => {
  it("lists its orders to staff who may read them, and offers no deletion", async () => {
    const discount = await aDiscount();
    const [buyer, product] = [await aUser({ name: "Ada Lovelace", wallet: 10_000 }), await aProduct()];
    const order = await call("POST /orders", {
      as: buyer.token,
      body: orderOf(product, 1, { discount_codes: [discount.code] }),
    });
    const path = `/admin/discounts/${discount.id}`;
    const { html } = await admin.get(path);
    for (const words of [order.body.data.number, "Ada Lovelace", "$1.00"]) expect(html).toContain(words);
    const { html: seen } = await (await anAdministrator({ role: "catalogue" })).get(path);
    expect(seen).not.toContain(order.body.data.number);
    expect(seen).toContain("Save discount");
    const refused = await admin.post(`${path}/delete`, {});
    expect([refused.status, refused.html.includes("Disable it instead")]).toEqual([409, true]);
  });
});
