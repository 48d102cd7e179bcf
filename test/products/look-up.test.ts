import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aParent, aProduct, aUser, aVariant, orderOf } from "../support/shop.ts";

const EAN = "4006381333931";

let shopper: string;
let admin: string;
let cup: { id: number; price: number };
let draft: { id: number };
let variant: { id: number };
let buyer: { id: number; token: string };

beforeAll(async () => {
  shopper = (await aKey({ permissions: ["products:read"] })).key;
  admin = (await aUser({ role: "admin" })).token;
  buyer = await aUser();
  cup = await aProduct({ slug: "cup", sku: "CUP-1", barcode: EAN });
  draft = await aProduct({ slug: "secret", sku: "CUP-2", status: "draft" });
  variant = await aVariant(await aParent(), { sku: "SHIRT, BLUE" });
});

const found = async (query: string, as = shopper, list = "/products") => {
  const { status, body } = await call(`GET ${list}?${query}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }: { id: number }) => id);
};

describe("a product", () => {
  it("is found by slug, SKU, barcode and ids, and a variant by its own", async () => {
    expect(await found("slug=cup")).toEqual([cup.id]);
    expect(await found("sku=CUP-1&sku=SHIRT%2C%20BLUE&sku=NOTHING")).toEqual([cup.id, variant.id]);
    for (const written of [EAN, `0${EAN}`]) expect(await found(`barcode=${written}`)).toEqual([cup.id]);
    expect(await found(`ids=${variant.id},${cup.id},999999`)).toEqual([cup.id, variant.id]);
    expect(await found("slug=cup&sku=CUP-2")).toEqual([]);
    expect(await found("sku=SHIRT%2C%20BLUE", admin, "/admin/products")).toEqual([variant.id]);
  });

  it("stays unknown to shoppers while it is a draft", async () => {
    expect(await found("slug=secret")).toEqual([]);
    expect(await found(`ids=${draft.id}`)).toEqual([]);
    expect(await found("sku=CUP-2", admin, "/admin/products")).toEqual([draft.id]);
    expect((await call("GET /products/secret", { as: shopper })).status).toBe(404);
  });

  it("is read by its slug, and after it is renamed by the former one, which says the new one", async () => {
    expect((await call("GET /products/cup?fields=id", { as: shopper })).body.data).toEqual({ id: cup.id });
    for (const slug of ["mug", "beaker"]) {
      expect((await call(`PUT /admin/products/${cup.id}`, { as: admin, body: { slug } })).status).toBe(200);
    }
    for (const slug of ["cup", "mug", "beaker"]) {
      const { body } = await call(`GET /products/${slug}`, { as: shopper });
      expect(body.data).toMatchObject({ id: cup.id, slug: "beaker" });
      expect(await found(`slug=${slug}`)).toEqual([cup.id]);
    }
    const { id } = await aProduct({ slug: "mug" });
    expect((await call("GET /products/mug", { as: shopper })).body.data).toMatchObject({ id });
    expect((await call(`DELETE /admin/products/${id}`, { as: admin })).status).toBe(204);
    expect((await call("GET /products/nothing-here", { as: shopper })).status).toBe(404);
    expectRefusal(await call("GET /products/Not_a_slug", { as: shopper }), 400, "id");
  });

  it.each([
    ["ids=1,x", "ids"],
    [`ids=${Array.from({ length: 101 }, () => 1)}`, "ids"],
    ["slug=Cup", "slug"],
    ["barcode=123", "barcode"],
    [Array.from({ length: 101 }, () => "sku=A").join("&"), "sku"],
    ["sku=A&search=cup", "ids"],
    ["sku=A&sort=name", "ids"],
    ["sku=A&after_id=0", "ids"],
  ])("is not looked up by ?%s, which names the field", async (query, field) => {
    expectRefusal(await call(`GET /products?${query}`, { as: shopper }), 400, field);
    expectRefusal(await call(`GET /admin/products?${query}`, { as: admin }), 400, field);
  });

  it.each(["/products?sku=A&search=cup", "/admin/products?after_id=0&search=cup", "/admin/users?after_id=0&sort=name"])(
    "says of %s that its parameters exclude each other, not that one is missing",
    async (path) => {
      const { status, body } = await call(`GET ${path}`, { as: admin });
      expect([status, body.details]).toMatchObject([400, [{ code: "not_applicable" }]]);
    },
  );
});

it("finds a renamed category by its former slug", async () => {
  const { body } = await call("POST /admin/categories", { as: admin, body: { name: "Tea" } });
  await call(`PUT /admin/products/${cup.id}`, { as: admin, body: { category_id: body.data.id } });
  await call(`PUT /admin/categories/${body.data.id}`, { as: admin, body: { slug: "fine-tea" } });
  expect(await found("category=tea")).toEqual([cup.id]);
  expect(await found("category=fine-tea")).toEqual([cup.id]);
});

it("finds an order by its whole reference and a customer by e-mail address", async () => {
  const { body } = await call("POST /orders", { as: (await aUser({ wallet: 100_000 })).token, body: orderOf(cup) });
  const { id, reference, customer } = body.data;
  expect(await found(`reference=${reference.toLowerCase().replaceAll("-", "")}`, admin, "/admin/orders")).toEqual([id]);
  expect(await found(`reference=${reference.slice(0, 9)}`, admin, "/admin/orders")).toEqual([]);
  expect(await found(`email=${customer.email.toUpperCase()}`, admin, "/admin/users")).toEqual([customer.id]);
  expect(await found(`email=nobody@shop.test`, admin, "/admin/users")).toEqual([]);
  expect(buyer.id).not.toBe(customer.id);
  expectRefusal(await call("GET /admin/users?email=x", { as: admin }), 400, "email");
});
