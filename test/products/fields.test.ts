import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { Product } from "../../src/catalogue/products/schemas.ts";
import { call } from "../support/call.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct } from "../support/shop.ts";

let key: string;

beforeAll(async () => {
  ({ key } = await aKey());
});

const names = Object.keys(Product.shape);

it("returns only the requested fields of a product", async () => {
  const { id } = await aProduct();
  const whole = (await call(`GET /products/${id}`, { as: key })).body.data;
  await fc.assert(
    fc.asyncProperty(fc.subarray(names, { minLength: 1 }), async (asked) => {
      const part = Object.fromEntries(asked.map((name) => [name, whole[name]]));
      const one = await call(`GET /products/${id}?fields=${asked}`, { as: key });
      expect(one.body.data).toEqual(part);
      const list = await call(`GET /products?after_id=${id - 1}&per_page=1&fields=${asked}`, { as: key });
      expect(list.body.data).toEqual([part]);
    }),
    { numRuns: 20 },
  );
});

it("caches responses with other fields separately", async () => {
  const { id } = await aProduct();
  const read = (fields: string) =>
    call(`GET /products/${id}?fields=${fields}`, { as: key, headers: { "x-d1-bookmark": "" } });
  expect(Object.keys((await read("id,name")).body.data)).toEqual(["id", "name"]);
  expect(Object.keys((await read("sku")).body.data)).toEqual(["sku"]);
});

it.each(["", "nmae", "id,constructor", "id, name", "name,"])("names an unknown field: %s", async (fields) => {
  for (const path of ["/products", "/products/1"]) {
    const refusal = await call(`GET ${path}?fields=${fields}`, { as: key });
    expectRefusal(refusal, 400, "fields");
    expect(refusal.body.details[0].code).toBe("unknown_field");
    expect(refusal.body.errors.fields[0]).toContain("Choose from id, name, slug");
  }
});
