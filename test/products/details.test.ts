import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aUser } from "../support/shop.ts";

let admin: string;
let shopper: string;
let made = 0;

beforeAll(async () => {
  ({ token: admin } = await aUser({ role: "admin" }));
  ({ token: shopper } = await aUser());
});

const EAN = "4006381333931";
const ISBN = "9783161484100";

async function create(fields: object = {}) {
  const n = ++made;
  const sent = { name: `Lamp ${n}`, sku: `LAMP-${n}`, type: "physical", status: "active", price: 40, ...fields };
  const { status, body } = await call("POST /admin/products", { as: admin, body: sent });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data;
}

/** A lamp with a white variant. */
async function createWithVariant(fields: object, ofVariant: object = {}) {
  const { id } = await create({ ...fields, options: [{ name: "Color", values: ["White", "Black"] }] });
  const white = { sku: `LAMP-${made}-W`, price: 40, option_values: [{ name: "Color", value: "White" }], ...ofVariant };
  const { body } = await call(`POST /admin/products/${id}/variants`, { as: admin, body: white });
  return { id, variantId: body.data.id as number };
}

const fieldsOf = (body: { details: { field: string }[] }) => body.details.map(({ field }) => field);

const found = async (search: string): Promise<number[]> =>
  (await call(`GET /products?search=${search}`, { as: shopper })).body.data.map(({ id }: { id: number }) => id);

describe("a description", () => {
  it("is Markdown, which a single product shows as HTML and no list renders", async () => {
    const { id, description_html } = await create({ description: "Made by **hand**.\n\n<script>x</script>" });
    expect(description_html).toBe("<p>Made by <strong>hand</strong>.</p>\n<p>&lt;script&gt;x&lt;/script&gt;</p>");
    const { body } = await call(`GET /products/${id}?fields=description,description_html`, { as: shopper });
    expect(body.data).toEqual({ description: "Made by **hand**.\n\n<script>x</script>", description_html });
    for (const [as, path] of [
      [shopper, "/products"],
      [admin, "/admin/products"],
    ] as const) {
      const { data } = (await call(`GET ${path}?search=LAMP-${made}`, { as })).body;
      expect(data).toMatchObject([{ id }]);
      expect(Object.keys(data[0])).not.toContain("description_html");
    }
    expect((await call("GET /products?fields=description_html", { as: shopper })).status).toBe(400);
  });
});

describe("brand and barcode", () => {
  it("are found by the search, including those of variants", async () => {
    const plain = await create({ brand: "Müller & Söhne", barcode: "978-3-16-148410-0" });
    expect(plain).toMatchObject({ brand: "Müller & Söhne", barcode: ISBN });
    expect(await found("muller")).toEqual([plain.id]);
    expect(await found(ISBN)).toEqual([plain.id]);
    const { id } = await createWithVariant({ brand: "Łuna" }, { barcode: EAN });
    expect(await found("luna")).toEqual([id]);
    expect(await found(EAN)).toEqual([id]);
    await call(`PUT /admin/products/${plain.id}`, { as: admin, body: { brand: null, barcode: null } });
    expect(await found("muller")).toEqual([]);
    expect(await found(ISBN)).toEqual([]);
  });

  it("are refused if the check digit is wrong or the brand has two lines", async () => {
    const wrong = { name: "Lamp", sku: "WRONG", type: "physical", price: 1, barcode: "4006381333932", brand: "A\nB" };
    const { status, body } = await call("POST /admin/products", { as: admin, body: wrong });
    expect([status, fieldsOf(body)]).toEqual([400, ["brand", "barcode"]]);
  });
});

describe("a variant", () => {
  it("inherits brand and texts for search engines from its product, and has its own barcode and cost", async () => {
    const { id, variantId } = await createWithVariant(
      { brand: "Luna", seo_title: "Lamps by Luna", seo_description: "Light." },
      { barcode: EAN, cost: 12.5 },
    );
    const read = async () => (await call(`GET /admin/products/${variantId}`, { as: admin })).body.data;
    const texts = { brand: "Luna", seo_title: "Lamps by Luna", seo_description: "Light." };
    expect(await read()).toMatchObject({ ...texts, barcode: EAN, cost: 12.5 });
    await call(`PUT /admin/products/${id}`, { as: admin, body: { brand: "Sol", seo_title: null } });
    expect(await read()).toMatchObject({ brand: "Sol", seo_title: null, seo_description: "Light." });
    await call(`PUT /admin/products/${variantId}`, { as: admin, body: { brand: "Mond" } });
    await call(`PUT /admin/products/${id}`, { as: admin, body: { brand: "Stella" } });
    expect(await read()).toMatchObject({ brand: "Mond" });
    const own = await call(`PUT /admin/products/${id}`, { as: admin, body: { barcode: EAN, cost: 1 } });
    expect([own.status, fieldsOf(own.body)]).toEqual([400, ["cost", "barcode"]]);
  });

  it("leaves its product without a cost and a barcode once that has options", async () => {
    const { id } = await create({ barcode: EAN, cost: 3 });
    const options = [{ name: "Color", values: ["White"] }];
    const { body } = await call(`PUT /admin/products/${id}`, { as: admin, body: { options } });
    expect(body.data).toMatchObject({ barcode: null, cost: null });
  });
});

describe("title and description for search engines", () => {
  it("default to the name and the beginning of the description", async () => {
    const description = `## Light\n\n${"A **warm** lamp. ".repeat(20)}`;
    const { id, seo_title } = await create({ description });
    expect(seo_title).toBeNull();
    const read = async () => (await call(`GET /products/${id}`, { as: shopper })).body.data;
    const shown = await read();
    expect(shown.seo_title).toBe(`Lamp ${made}`);
    expect(shown.seo_description).toMatch(/^Light A warm lamp\. A warm .* (A|warm|lamp\.)…$/);
    expect(shown.seo_description.length).toBeLessThanOrEqual(161);
    await call(`PUT /admin/products/${id}`, {
      as: admin,
      body: { seo_title: "A lamp", seo_description: "Warm light" },
    });
    expect(await read()).toMatchObject({ seo_title: "A lamp", seo_description: "Warm light" });
  });
});

describe("the cost", () => {
  it("is in no response to shoppers, whatever they ask for", async () => {
    const { id, variantId } = await createWithVariant({}, { cost: 4321 });
    const plain = await create({ cost: 4321 });
    const { key } = await aKey({ tier: "premium" });
    const { key: writing } = await aKey({ tier: "premium", permissions: ["products:write"] });
    await call("POST /cart", { as: shopper, body: { product_id: plain.id, quantity: 1 } });
    const paths = [
      ...[id, variantId, plain.id].flatMap((each) => [`/products/${each}`, `/products?parent_id=${each}`]),
      ...["/products", "/products?sort=price", `/products?search=LAMP-${made}`, "/products?after_id=0", "/cart"],
    ];
    for (const path of paths) {
      for (const as of [shopper, key, writing]) {
        const { body } = await call(`GET ${path}`, { as });
        expect(JSON.stringify(body), path).not.toContain("4321");
        expect(JSON.stringify(body), path).not.toContain('"cost"');
      }
    }
    const asked = await call(`GET /products/${plain.id}?fields=cost`, { as: shopper });
    expectRefusal(asked, 400, "fields");
    for (const [field, value] of [
      ["sort", "cost"],
      ["cost", "4321"],
      ["max_cost", "1"],
    ]) {
      expect((await call(`GET /products?${field}=${value}`, { as: shopper })).status).toBe(400);
    }
    for (const path of [`/products/${plain.id}`, "/products", "/exports/products/csv", "/exports/products/ndjson"]) {
      expect((await call(`GET /admin${path}`, { as: shopper })).status).toBe(403);
    }
  });

  it("is shown in the admin API to staff and to keys that may write products, not to those that may only read them", async () => {
    const { id } = await create({ cost: 43.21 });
    const { token: support } = await aUser({ role: "support" });
    const { key: reading } = await aKey({ permissions: ["products:read_all"] });
    const { key: writing } = await aKey({ permissions: ["products:read", "products:write"] });
    const seen = async (as: string) => {
      const { body } = await call(`GET /admin/products/${id}`, { as });
      const listed = await call(`GET /admin/products?search=LAMP-${made}`, { as });
      const files = await Promise.all(
        ["csv", "ndjson"].map(async (format) =>
          JSON.stringify((await call(`GET /admin/exports/products/${format}`, { as })).body).includes("43.21"),
        ),
      );
      return [body.data.cost, listed.body.data[0].cost, ...files];
    };
    for (const as of [admin, support, writing]) expect(await seen(as)).toEqual([43.21, 43.21, true, true]);
    expect(await seen(reading)).toEqual([null, null, false, false]);
  });

  it("is in no event", async () => {
    const { id } = await create({ cost: 77.77 });
    await call(`PUT /admin/products/${id}`, { as: admin, body: { cost: 88.88 } });
    const { body } = await call("GET /admin/events?per_page=100", { as: admin });
    const about = body.data.filter(({ data }: { data: { product_id?: number } }) => data.product_id === id);
    expect(about).toHaveLength(2);
    expect(JSON.stringify(about)).not.toMatch(/77\.?77|88\.?88|cost/);
  });
});
