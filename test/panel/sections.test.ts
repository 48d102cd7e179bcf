import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anAdministrator } from "../support/panel.ts";
import { aCategory, aFile, aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

let paths: Record<string, string>;

beforeAll(async () => {
  const category = await aCategory("Lamps");
  const product = await aProduct({
    categoryId: category.id,
    fileIds: [(await aFile()).id],
    name: "<script>x</script>",
  });
  const key = await aKey({ name: '"><img src=x onerror=alert(1)>' });
  paths = {
    overview: "/admin",
    "API Manager": "/admin/api-keys",
    "new API key": "/admin/api-keys/new",
    "API key": `/admin/api-keys/${key.id}`,
    "usage of an API key": `/admin/api-keys/${key.id}/usage`,
    products: "/admin/products",
    "new product": "/admin/products/new",
    product: `/admin/products/${product.id}`,
    categories: "/admin/categories",
    category: `/admin/categories/${category.id}`,
    "audit log": "/admin/audit-log",
  };
});

const names = [
  "overview",
  "API Manager",
  "new API key",
  "API key",
  "usage of an API key",
  "products",
  "new product",
  "product",
  "categories",
  "category",
  "audit log",
];

describe.each(names)("the page %s", (name) => {
  it("costs three round trips to the database at most", async () => {
    const { bindings, trips } = counted();
    const { get } = await anAdministrator();
    const { status } = await get(String(paths[name]), bindings);
    expect(status).toBe(200);
    expect(trips.d1).toBeLessThanOrEqual(3);
  });

  it("shows hostile names as text", async () => {
    const { get } = await anAdministrator();
    const { html } = await get(String(paths[name]));
    expect(html).not.toContain("<script>x");
    expect(html).not.toContain("<img src=x");
    expect(html).not.toMatch(/ style=| on[a-z]+="/);
  });
});

it("tells on the overview what wants attention", async () => {
  const product = await aProduct({ stock: 3 });
  await aProduct({ stock: 6 });
  const buyer = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: buyer.token, body: orderOf(product) });
  for (const payment_method of ["paypal", "paypal"]) {
    await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct(), 1, { payment_method }) });
  }
  const { get } = await anAdministrator();
  const { html } = await get("/admin");
  const tiles = [...html.matchAll(/<strong>(\d+)<\/strong> ([^<]+)/g)].map(([, figure, label]) => [figure, label]);
  expect(tiles).toEqual([
    ["1", "to ship"],
    ["2", "waiting for payment"],
    ["1", "with 5 or fewer left"],
  ]);
});
