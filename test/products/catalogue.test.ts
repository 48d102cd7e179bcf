import { beforeAll, describe, expect, it } from "vitest";
import { call, callWith, ORIGIN } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aRefusal } from "../support/refusal.ts";
import { aCategory, aFile, aKey, aProduct, aUser } from "../support/shop.ts";

let user: string;

beforeAll(async () => {
  ({ token: user } = await aUser());
});

describe("the record", () => {
  it("is complete, and the same alone and in the list", async () => {
    const category = await aCategory("Posters");
    const file = await aFile({ name: "Print file", access: "package" });
    const made = await aProduct({
      sku: "POSTER-A2",
      type: "digital",
      stock: null,
      price: 1999,
      compareAtPrice: 2500,
      description: "Printed *at night*",
      brand: "Nachtdruck",
      barcode: "4006381333931",
      cost: 700,
      categoryId: category.id,
      images: [
        { url: "/images/poster.svg", alt: "The poster" },
        { url: "https://cdn.test/b.png", alt: "" },
      ],
      fileIds: [file.id],
      metadata: { paper: "200g" },
    });
    const { status, body } = await call(`GET /products/${made.id}`, { as: user });
    expect(status).toBe(200);
    expect(body).toEqual({ status: "success", message: expect.any(String), data: body.data });
    expect(body.data).toStrictEqual({
      id: made.id,
      name: made.name,
      slug: made.slug,
      sku: "POSTER-A2",
      type: "digital",
      status: "active",
      description: "Printed *at night*",
      description_html: "<p>Printed <em>at night</em></p>",
      brand: "Nachtdruck",
      barcode: "4006381333931",
      condition: "new",
      withdrawal: "standard",
      seo_title: made.name,
      seo_description: "Printed at night",
      price: 19.99,
      compare_at_price: 25,
      prior_price: null,
      renews: null,
      unit_pricing: null,
      currency: "USD",
      category: {
        ...{ id: category.id, name: "Posters", slug: "posters" },
        path: [{ id: category.id, name: "Posters", slug: "posters" }],
      },
      tags: [],
      images: [
        { url: `${ORIGIN}/images/poster.svg`, alt: "The poster" },
        { url: "https://cdn.test/b.png", alt: "" },
      ],
      requires_shipping: false,
      weight_grams: null,
      manage_stock: false,
      stock_quantity: null,
      in_stock: true,
      files: [{ id: file.id, name: "Print file" }],
      metadata: { paper: "200g" },
      parent_id: null,
      options: [],
      option_values: [],
      price_range: { min: 19.99, max: 19.99 },
      variants: [],
      created_at: new Date(made.createdAt).toISOString(),
      updated_at: new Date(made.updatedAt).toISOString(),
    });
    const list = await call("GET /products?category=posters", { as: user });
    const { variants: _, description_html: __, seo_title: ___, seo_description: ____, ...listed } = body.data;
    expect(list.body.data).toStrictEqual([listed]);
  });

  it("contains null and empty lists for missing values", async () => {
    const { id } = await aProduct({ stock: 0 });
    const { body } = await call(`GET /products/${id}`, { as: user });
    expect(Object.keys(body.data).toSorted()).toEqual(
      (
        "barcode brand category compare_at_price condition created_at currency description description_html files id images in_stock " +
        "manage_stock metadata name option_values options parent_id price price_range prior_price renews requires_shipping seo_description " +
        "seo_title sku slug status stock_quantity tags type unit_pricing updated_at variants weight_grams withdrawal"
      ).split(" "),
    );
    expect(body.data).toMatchObject({
      compare_at_price: null,
      category: null,
      images: [],
      files: [],
      metadata: {},
      manage_stock: true,
      stock_quantity: 0,
      in_stock: false,
      requires_shipping: true,
    });
  });
});

it("names exactly the published files", async () => {
  const [leaflet, secret] = [await aFile({ name: "Leaflet" }), await aFile({ name: "Not yet", publishedAt: null })];
  const { id } = await aProduct({ fileIds: [leaflet.id, secret.id] });
  const { body } = await call(`GET /products/${id}`, { as: user });
  expect(body.data.files).toEqual([{ id: leaflet.id, name: "Leaflet" }]);
});

it("names a file as soon as it is published, whatever another clock says", async () => {
  const file = await aFile({ publishedAt: Date.now() + 2000 });
  const { id } = await aProduct({ fileIds: [file.id] });
  expect((await call(`GET /products/${id}`, { as: user })).body.data.files).toEqual([{ id: file.id, name: file.name }]);
});

describe("a draft", () => {
  it("does not exist for a user", async () => {
    const category = await aCategory("Secret plans");
    const draft = await aProduct({ status: "draft", name: "Unannounced", categoryId: category.id });
    const alone = await call(`GET /products/${draft.id}`, { as: user });
    const missing = await call("GET /products/987654", { as: user });
    expect([alone.status, missing.status]).toEqual([404, 404]);
    expect(alone.body.message.replace(String(draft.id), "987654")).toBe(missing.body.message);
    for (const query of ["status=draft", "category=secret-plans", "search=unannounced"]) {
      const { body } = await call(`GET /products?${query}`, { as: user });
      expect(body.data).toEqual([]);
      expect(body.pagination.total_items).toBe(0);
    }
  });

  it("is shown to an API key with products:write and to an administrator", async () => {
    const category = await aCategory("Plans");
    const draft = await aProduct({ status: "draft", categoryId: category.id });
    for (const as of [
      (await aKey({ permissions: ["products:read", "products:write"] })).key,
      (await aUser({ role: "admin" })).token,
    ]) {
      expect((await call(`GET /products/${draft.id}`, { as })).body.data).toMatchObject({
        id: draft.id,
        status: "draft",
      });
      for (const query of ["", "&status=draft"]) {
        expect((await call(`GET /products?category=plans${query}`, { as })).body.data).toMatchObject([
          { id: draft.id },
        ]);
      }
      expect((await call("GET /products?category=plans&status=active", { as })).body.data).toEqual([]);
    }
  });
});

it.each(["0", "-1", "1.5"])("refuses the id %s", async (id) => {
  const { status, body } = await call(`GET /products/${id}`, { as: user });
  expect([status, Object.keys(body.errors)]).toEqual([400, ["id"]]);
});

it("requires a credential", async () => {
  const { id } = await aProduct();
  for (const path of ["/products", `/products/${id}`]) {
    const { status, headers, body } = await call(`GET ${path}`);
    expect([status, headers.get("WWW-Authenticate")]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect(body).toEqual(aRefusal("unauthorized"));
  }
});

it("reads a list, and a product, in one round trip", async () => {
  const { id } = await aProduct();
  for (const path of ["/products?search=product&sort=name", `/products/${id}`]) {
    const { bindings, trips } = counted();
    expect((await callWith(bindings, `GET ${path}`, { as: user })).status).toBe(200);
    expect(trips).toEqual({ d1: 1, durableObjects: 2, r2: 0 });
  }
});

describe("a public catalogue", () => {
  const open = { PUBLIC_CATALOG: "true" };
  it("shows only active products to callers without a credential", async () => {
    const { id: categoryId } = await aCategory("Window");
    const product = await aProduct({ categoryId });
    const draft = await aProduct({ categoryId, status: "draft" });
    const list = await callWith(open, "GET /products?category=window");
    expect(list.body.data).toMatchObject([{ id: product.id }]);
    expect(list.body.pagination.total_items).toBe(1);
    expect((await callWith(open, "GET /products?category=window&status=draft")).body.data).toEqual([]);
    expect((await callWith(open, `GET /products/${product.id}`)).body.data).toEqual({
      ...list.body.data[0],
      description_html: "",
      seo_title: product.name,
      seo_description: "",
      variants: [],
    });
    expect((await callWith(open, `GET /products/${draft.id}`)).status).toBe(404);
  });

  it.each(["/products", "/products/987654", "/products?per_page=0"])("counts them by address on %s", async (path) => {
    const headers = { "CF-Connecting-IP": `192.0.2.${path.length}` };
    const limits = [];
    for (let i = 0; i < 2; i++) limits.push((await callWith(open, `GET ${path}`, { headers })).headers);
    expect(limits.map((each) => each.get("RateLimit-Policy"))).toEqual(Array(2).fill('"anonymous";q=100;w=60'));
    expect(limits.map((each) => each.get("X-RateLimit-Remaining"))).toEqual(["99", "98"]);
  });

  it("still refuses an invalid credential", async () => {
    for (const as of ["nonsense", "sfk_nonsense"]) {
      expect((await callWith(open, "GET /products", { as })).status).toBe(401);
    }
  });

  it("answers them in one round trip in addition to the count", async () => {
    const { id } = await aProduct();
    for (const path of ["/products", `/products/${id}`]) {
      const { bindings, trips } = counted();
      expect((await callWith({ ...bindings, ...open }, `GET ${path}`)).status).toBe(200);
      expect(trips).toEqual({ d1: 1, durableObjects: 1, r2: 0 });
    }
  });
});
