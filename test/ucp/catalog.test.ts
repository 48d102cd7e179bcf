import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { toUcpProduct } from "../../src/ucp/catalog.ts";
import { anAgent } from "../agents/support.ts";
import { call } from "../support/call.ts";
import { settleShop } from "../support/pricing.ts";
import { aCategory, aParent, aProduct, aVariant } from "../support/shop.ts";
import { ask, openToAgents, PROFILE } from "./agent.ts";
import { Envelope, Refusal, UcpProduct } from "./shapes.ts";

beforeAll(openToAgents);

const Found = Envelope.extend({
  products: z.array(UcpProduct),
  pagination: z.looseObject({ has_next_page: z.boolean() }),
});
const Looked = Envelope.extend({ products: z.array(UcpProduct) });

const search = async (body: object) => Found.parse((await ask("POST /catalog/search", { body })).body);
const lookup = async (ids: string[]) => Looked.parse((await ask("POST /catalog/lookup", { body: { ids } })).body);
const detail = async (body: object) => (await ask("POST /catalog/product", { body })).body;

it("publishes a profile with the shop's capabilities, unless agents are not allowed", async () => {
  const { body, headers } = await call("GET /.well-known/ucp");
  expect(body.ucp.version).toBe("2026-08-25");
  expect(body.ucp.services["dev.ucp.shopping"]).toMatchObject([
    { transport: "rest", endpoint: "https://shop.test/ucp/v1" },
    { transport: "mcp", endpoint: "https://shop.test/mcp" },
  ]);
  expect(body.ucp.capabilities["dev.ucp.shopping.discount"][0].extends).toHaveLength(2);
  expect(body.ucp.payment_handlers["test.shop.payments"].map(({ id }: { id: string }) => id)).toContain(
    "bank_transfer",
  );
  expect(headers.get("Cache-Control")).toBe("public, max-age=300");
  for (const agentAccess of ["off", "listed"] as const) {
    await settleShop({ agentAccess });
    const refused = await ask("POST /catalog/search", { body: {} });
    expect(Refusal.parse(refused.body).code).toBe(agentAccess === "off" ? "not_found" : "profile_not_trusted");
  }
  await settleShop({ agentAccess: "off" });
  expect((await call("GET /.well-known/ucp")).status).toBe(404);
  await openToAgents();
});

it.each([
  ["", 400, "invalid_profile_url"],
  ["profile=https://agent.example.com", 400, "invalid_profile_url"],
  ['profile="http://agent.example.com/"', 400, "invalid_profile_url"],
  ['profile="https://10.0.0.1/profile"', 400, "invalid_profile_url"],
  ['profile="https://shop.test/profile"', 400, "invalid_profile_url"],
  [`profile="${PROFILE}";version="2026-01-11"`, 422, "version_unsupported"],
])("refuses the agent that calls itself %s", async (header, status, code) => {
  const refused = await ask("POST /catalog/search", { body: {}, headers: { "UCP-Agent": header } });
  expect(refused.status).toBe(status);
  expect(Refusal.parse(refused.body).code).toBe(code);
});

it("answers an unsigned agent by the version and capabilities of its profile", async () => {
  const answerTo = async (version: string, names: string[]) => {
    const capabilities = Object.fromEntries(names.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]));
    const { url } = await anAgent({ body: { ucp: { version, capabilities } } });
    return ask("POST /catalog/search", { body: { query: "pen" }, headers: { "UCP-Agent": `profile="${url}"` } });
  };
  const older = await answerTo("2026-01-23", ["catalog.search"]);
  expect([older.status, Refusal.parse(older.body).code]).toEqual([422, "version_unsupported"]);
  const other = await answerTo("2026-04-08", ["checkout"]);
  expect([other.status, Envelope.parse(other.body).messages]).toMatchObject([
    200,
    [{ code: "capabilities_incompatible" }],
  ]);
  const shared = await answerTo("2026-04-08", ["catalog.search", "discount"]);
  expect(Object.keys(Envelope.parse(shared.body).ucp.capabilities ?? {})).toEqual(["dev.ucp.shopping.catalog.search"]);
});

it("finds products by words, category and price, page by page", async () => {
  const category = await aCategory("Fountain pens");
  const [cheap] = [
    await aProduct({ name: "Quillmaster pen", price: 500, categoryId: category.id }),
    await aProduct({ name: "Quillmaster box", price: 900, categoryId: category.id }),
    await aProduct({ name: "Quillmaster ink", price: 1500 }),
    await aProduct({ name: "Quillmaster draft", status: "draft" }),
  ];
  const all = await search({ query: "quillmaster", pagination: { limit: 2 } });
  expect(all.products).toHaveLength(2);
  expect(all.pagination).toEqual({ has_next_page: true, cursor: "p2", total_count: 3 });
  const rest = await search({ query: "quillmaster", pagination: { limit: 2, cursor: "p2" } });
  expect(rest.products).toHaveLength(1);
  expect(rest.pagination.has_next_page).toBe(false);
  const filters = { categories: ["fountain-pens"], price: { max: 600 } };
  const [only] = (await search({ filters })).products;
  expect(only).toMatchObject({ id: String(cheap?.id), price_range: { min: { amount: 500, currency: "USD" } } });
  const foreign = await search({ query: "quillmaster", filters: { price: { max: 1 } }, context: { currency: "EUR" } });
  expect(foreign.products).toHaveLength(3);
  expect(foreign.messages).toMatchObject([{ type: "warning", code: "filter_ignored", path: "$.filters.price" }]);
});

it("shows the unit price of a variant in minor units", async () => {
  const unitPricing = { measure: 750_000, unit: "ml", reference: 1, referenceUnit: "l" } as const;
  const { id } = await aProduct({ price: 1_200, unitPricing });
  const { product } = (await ask("POST /catalog/product", { body: { id: String(id) } })).body;
  expect(product.variants[0].unit_price).toEqual({
    amount: 1_600,
    currency: "USD",
    measure: { value: 750, unit: "ml" },
    reference: { value: 1, unit: "l" },
  });
});

it("names the wrong field by its path", async () => {
  const refused = await ask("POST /catalog/search", { body: { filters: { price: { min: -1 } } } });
  expect(refused.status).toBe(400);
  expect(Envelope.parse(refused.body)).toMatchObject({
    ucp: { status: "error" },
    messages: [{ type: "error", path: "$.filters.price.min", severity: "recoverable" }],
  });
});

it.each([{}, { query: " " }, { filters: {} }, { filters: { categories: [] } }])(
  "refuses the search %j, which looks for nothing",
  async (body) => {
    const refused = await ask("POST /catalog/search", { body });
    expect([refused.status, Envelope.parse(refused.body).messages]).toMatchObject([
      400,
      [{ code: "required", path: "$.query" }],
    ]);
  },
);

it("links each product and variant to its page in the storefront", async () => {
  const parent = await aParent({ price: 1000 });
  const variant = await aVariant(parent);
  const bindings = { SHOP_URL: "https://my.example" };
  const { product } = (await ask("POST /catalog/product", { body: { id: String(parent.id) }, bindings })).body;
  expect(product.url).toBe(`https://my.example/products/${parent.id}`);
  expect(product.variants[0].url).toBe(`${product.url}?variant=${variant.id}`);
});

it("looks up products and variants, and says how each id was understood", async () => {
  const parent = await aParent({ price: 1000 });
  const [first, second] = [await aVariant(parent, { stock: 0 }), await aVariant(parent)];
  const simple = await aProduct();
  const ids = [parent.id, first.id, simple.id].map(String);
  const { products, messages } = await lookup([...ids, ...ids, "999999", "nonsense"]);
  const inputs = products.flatMap(({ variants }) => variants.map(({ id, inputs: of }) => [id, of]));
  expect(Object.fromEntries(inputs)).toEqual({
    [first.id]: [{ id: ids[1], match: "exact" }],
    [second.id]: [{ id: ids[0], match: "featured" }],
    [simple.id]: [{ id: ids[2], match: "exact" }],
  });
  expect(messages?.map(({ path }) => path)).toEqual(["$.ids[6]", "$.ids[7]"]);
  const many = await ask("POST /catalog/lookup", { body: { ids: Array.from({ length: 51 }, String) } });
  expect([many.status, Refusal.parse(many.body).code]).toEqual([400, "request_too_large"]);
});

it("filters a product's variants by the selected options", async () => {
  const parent = await aParent({ price: 1000 });
  const [small, medium] = [await aVariant(parent), await aVariant(parent, { stock: 0 })];
  const { product } = await detail({ id: String(parent.id) });
  expect(UcpProduct.parse(product).variants).toHaveLength(2);
  expect(product.selected).toEqual([
    { name: "Size", label: "S" },
    { name: "Color", label: "Blue" },
  ]);
  const selected = [
    { name: "Size", label: "L" },
    { name: "Color", label: "Blue" },
  ];
  const narrowed = (await detail({ id: String(parent.id), selected, preferences: ["Color"] })).product;
  expect(narrowed.selected).toEqual([{ name: "Color", label: "Blue" }]);
  expect(narrowed.variants.map(({ id }: { id: string }) => id)).toEqual([small, medium].map((one) => String(one.id)));
  const [sizes] = (await detail({ id: String(small.id) })).product.options;
  expect(sizes.values[0]).toEqual({ label: "S", available: true, exists: true });
  expect(sizes.values[2]).toEqual({ label: "L", available: false, exists: false });
  expect(Envelope.parse(await detail({ id: "999999" })).messages).toMatchObject([{ code: "not_found" }]);
});

it("renders a description once, however many variants a product has", () => {
  let reads = 0;
  const variants = Array.from({ length: 100 }, (_, id) => ({
    ...{ id, sku: `S-${id}`, optionValues: [{ name: "Size", value: String(id) }], price: 100, compareAtPrice: null },
    ...{ inStock: true, stockQuantity: null, status: "active" as const, image: null },
  }));
  const row = {
    ...{
      id: 1,
      slug: "lamp",
      name: "Lamp",
      price: 100,
      highestVariantPrice: null,
      barcode: null,
      images: [],
      tags: [],
    },
    ...{ options: [{ name: "Size", values: [] }], categoryPath: null, variants },
    get description() {
      reads++;
      return "Of **brass**";
    },
  };
  const facts = { settings: { currency: "USD", email: { shopUrl: null } }, origin: "https://shop.test" };
  const product = Reflect.apply(toUcpProduct, null, [row, facts, variants]);
  expect(product.variants.at(-1)).toMatchObject({ description: { plain: "Of brass", markdown: "Of **brass**" } });
  expect(reads).toBeLessThan(10);
});
