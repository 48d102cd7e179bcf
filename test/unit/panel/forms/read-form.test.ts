import { Hono } from "hono";
import { expect, it } from "vitest";
import { ProductsQuery } from "../../../../src/catalogue/products/listing/query.ts";
import { readFilters } from "../../../../src/panel/forms/read-form.ts";
import { PageQuery } from "../../../../src/platform/http/pagination.ts";

const lists = new Hono()
  .get("/admin/things", (c) => c.json(readFilters(c, PageQuery)))
  .get("/admin/products", (c) => c.json(readFilters(c, ProductsQuery)));

async function ask(path: string) {
  const response = await lists.request(`https://shop.test${path}`);
  return { status: response.status, ...(await response.json<ReturnType<typeof readFilters>>()) };
}

it("reads the filled-in filters, in the API's own shape", async () => {
  const { status, query, form } = await ask("/admin/products?search=bag&status=&min_price=12.50&in_stock=true&sort=");
  expect(status).toBe(200);
  expect(query).toEqual({ page: 1, per_page: 20, search: "bag", min_price: 1250, in_stock: true, sort: "newest" });
  expect(form).toMatchObject({ action: "/admin/products", errors: {}, message: null });
  expect(form.values.search).toEqual(["bag"]);
});

it("applies valid filters, and reports the others with the typed values", async () => {
  const { status, query, form } = await ask("/admin/products?min_price=cheap&status=active&sort=best&page=0");
  expect(status).toBe(400);
  expect(query).toEqual({ page: 1, per_page: 20, status: "active", sort: "newest" });
  expect(Object.keys(form.errors)).toEqual(expect.arrayContaining(["min_price", "sort", "page"]));
  expect(form.values.min_price).toEqual(["cheap"]);
});

it("reports filters that contradict each other, and unknown ones", async () => {
  const contrary = await ask("/admin/products?min_price=20&max_price=10");
  expect([contrary.status, Object.keys(contrary.form.errors)]).toEqual([400, ["min_price"]]);
  expect(contrary.query).toMatchObject({ max_price: 1000 });
  const unknown = await ask("/admin/things?__proto__=1&colour=red");
  expect([unknown.status, Object.keys(unknown.form.errors)]).toEqual([400, ["__proto__", "colour"]]);
});
