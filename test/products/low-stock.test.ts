import { describe, expect, it } from "vitest";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aProduct, aUser, orderOf } from "../support/shop.ts";

const { token } = await aUser({ role: "admin" });
const category = await aCategory("Low Things");

const six = await aProduct({ stock: 6, name: "Six left" });
const two = await aProduct({ stock: 2, name: "Two left", price: 900, categoryId: category.id });
const none = await aProduct({ stock: 0, name: "None left", price: 100 });
const five = await aProduct({ stock: 5, name: "Five left", price: 500, type: "digital" });
await aProduct({ stock: 1, name: "A draft", status: "draft" });
await aProduct({ name: "Not managed", stock: null });

async function idsOf(query: string) {
  const { bindings, trips } = counted();
  const { status, body } = await callWith(bindings, `GET /admin/products?${query}`, { as: token });
  expect([status, trips.d1]).toEqual([200, 1]);
  expect(body.pagination.total_items, query).toBeGreaterThanOrEqual(body.data.length);
  return body.data.map(({ id }: { id: number }) => id);
}

describe("low stock", () => {
  it("includes active products with managed stock of five units or fewer", async () => {
    expect(await idsOf("low_stock=true")).toEqual([five.id, none.id, two.id]);
  });

  it.each([
    ["sort=stock", [none, two, five]],
    ["sort=price", [none, five, two]],
    ["sort=name", [five, none, two]],
    ["sort=stock&in_stock=true", [two, five]],
    ["sort=stock&in_stock=false", [none]],
    ["sort=stock&type=digital", [five]],
    [`sort=stock&category=${category.slug}`, [two]],
    ["sort=stock&min_price=2&max_price=6", [five]],
    ["sort=stock&search=left+tw", [two]],
    ["sort=stock&status=draft", []],
    ["sort=stock&per_page=1&page=2", [two]],
  ])("is filtered and sorted like any list: %s", async (query, expected) => {
    expect(await idsOf(`low_stock=true&${query}`)).toEqual(expected.map(({ id }) => id));
  });

  it("uses the product's own threshold, from zero on", async () => {
    const scarce = await aProduct({ stock: 30, name: "Thirty zithers" });
    const enough = await aProduct({ stock: 1, name: "One zither" });
    const say = async (id: number, low_stock_threshold: number | null) => {
      const { body } = await call(`PUT /admin/products/${id}`, { as: token, body: { low_stock_threshold } });
      return body.data.low_stock_threshold;
    };
    expect([await say(scarce.id, 30), await say(enough.id, 0)]).toEqual([30, 0]);
    expect(await idsOf("low_stock=true&search=zither")).toEqual([scarce.id]);
    expect([await say(scarce.id, 29), await say(enough.id, null)]).toEqual([29, null]);
    expect(await idsOf("low_stock=true&search=zither")).toEqual([enough.id]);
    const refused = await call(`PUT /admin/products/${scarce.id}`, { as: token, body: { low_stock_threshold: -1 } });
    expectRefusal(refused, 400, "low_stock_threshold");
    for (const { id } of [scarce, enough])
      await call(`PUT /admin/products/${id}`, { as: token, body: { status: "draft" } });
  });

  it("begins with the sale that makes it low", async () => {
    const buyer = await aUser({ wallet: 1_000_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf(six) });
    expect(await idsOf("low_stock=true&search=six")).toEqual([six.id]);
  });

  it("is also a sort order, the lowest first", async () => {
    const plenty = await aProduct({ stock: 1000, name: "Plenty" });
    expect(await idsOf("sort=stock")).toEqual([none.id, two.id, six.id, five.id, plenty.id]);
  });

  it.each([
    ["low_stock", "low_stock=false"],
    ["sort", "sort=-stock"],
    ["category", "low_stock=true&category=no-such"],
    ["min_price", "low_stock=true&min_price=3&max_price=2"],
  ])("refuses a wrong %s", async (field, query) => {
    expectRefusal(await call(`GET /admin/products?${query}`, { as: token }), 400, field);
  });

  it("is linked from the overview", async () => {
    const { get } = await anAdministrator();
    const [, href = ""] = /href="([^"]*low_stock[^"]*)"/.exec((await get("/admin")).html) ?? [];
    const { status, html } = await get(href.replaceAll("&amp;", "&"));
    expect(status).toBe(200);
    for (const { name } of [none, two, five]) expect(html).toContain(name);
    expect(html).not.toContain("Plenty");
  });
});
