import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { gunzipSync } from "node:zlib";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { products } from "../../src/platform/db/schema.ts";
import { administration } from "../support/administration.ts";
import { call, requestTo } from "../support/call.ts";
import { counting } from "../support/counting.ts";
import { aPng } from "../support/image-bytes.ts";
import { anImage } from "../support/images.ts";
import { anAdministrator } from "../support/panel.ts";
import { aFeed } from "../support/settings.ts";
import { aCategory, aParent, aProduct, aVariant, db } from "../support/shop.ts";

const { admin } = administration();

const addressOf = async ({ id }: { id: number }): Promise<string> =>
  (await call(`POST /admin/feeds/${id}/address`, { as: admin.token, body: {} })).body.data.address;

async function read(address: string, headers: Record<string, string> = {}, bindings: Env = env) {
  const context = createExecutionContext();
  const response = await app.fetch(requestTo(`GET ${address}`, { headers }), bindings, context);
  const bytes = Buffer.from(await response.arrayBuffer());
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, bytes };
}

type Item = Record<string, string>;

async function googleItems(address: string): Promise<Item[]> {
  const text = (await read(address)).bytes.toString("utf8");
  return Papa.parse<Item>(text, { header: true, delimiter: "\t", skipEmptyLines: true }).data;
}

const itemWith = (items: Item[], id: number) => items.find((item) => item.id === String(id));

const images = [{ url: "https://lamps.example/lamp.webp", alt: "" }];

it("leaves out what destinations refuse, and lists it in the panel with the reason", async () => {
  const uploaded = async (width: number, height: number) => [
    { url: (await anImage(aPng({ width, height }))).path, alt: "" },
  ];
  const accepted = await aProduct({ images: await uploaded(500, 500), barcode: "4006381333931" });
  const refused = [
    { name: "Free lamp", images, price: 0, reason: "The price is 0" },
    { name: "Unseen lamp", images: [], reason: "There is no picture" },
    { name: "Drawn lamp", images: [{ url: "/demo/lamp.SVG", alt: "" }], reason: "The first picture is an SVG" },
    {
      name: "New lamp",
      images: [{ url: "/images/lamp.avif", alt: "" }],
      reason: "The first picture is an SVG or AVIF",
    },
    { name: "Tiny lamp", images: await uploaded(600, 99), reason: "The first picture is too small" },
    ...["2000000000008", "0400000000008", "200000000004", "12000000000005", "9810000000001"].map((barcode) => ({
      name: `Lamp ${barcode}`,
      images,
      barcode,
      reason: "The barcode is one for internal use or for coupons",
    })),
  ];
  for (const { reason: _, ...columns } of refused) await aProduct(columns);
  const feed = await aFeed();
  const titles = (await googleItems(await addressOf(feed))).map(({ title }) => title);
  expect(titles).toContain(accepted.name);
  const { html } = await (await anAdministrator()).get(`/admin/feeds/${feed.id}`);
  const text = html.replaceAll(/<[^>]*>/g, "");
  for (const { name, reason } of refused) {
    expect(titles).not.toContain(name);
    expect(text).toMatch(new RegExp(`${name} \\([^)]*\\)\\s*: ${reason}`));
  }
});

describe("a feed for Google", () => {
  it("has the content of an item, and the reference of its unit price if Google accepts that", async () => {
    const soap = { measure: 90_500, unit: "g", reference: 1, referenceUnit: "kg" } as const;
    const [priced, unusual, without] = [
      await aProduct({ images, unitPricing: soap }),
      await aProduct({ images, unitPricing: { ...soap, reference: 250, referenceUnit: "g" } }),
      await aProduct({ images }),
    ];
    const items = await googleItems(await addressOf(await aFeed()));
    const measuresOf = ({ id }: { id: number }) => {
      const { unit_pricing_measure, unit_pricing_base_measure } = itemWith(items, id) ?? {};
      return [unit_pricing_measure, unit_pricing_base_measure];
    };
    expect(measuresOf(priced)).toEqual(["90.5 g", "1 kg"]);
    expect(measuresOf(unusual)).toEqual(["90.5 g", ""]);
    expect(measuresOf(without)).toEqual(["", ""]);
  });

  it("has an item for each product and variant that can be bought, and nothing else", async () => {
    const category = await aCategory("Lamps");
    const parent = await aParent({ images, name: "Desk lamp", price: 2500, categoryId: category.id });
    const variant = await aVariant(parent, { price: 2500, barcode: "4006381333931", weightGrams: 900 });
    const hidden = await aVariant(parent, { status: "draft" });
    const sold = await aProduct({
      ...{ images, stock: 0, price: 1999, compareAtPrice: 2999, brand: "Lumen", condition: "used" },
    });
    const draft = await aProduct({ status: "draft" });
    const archived = await aParent({ status: "draft" });
    const ofArchived = await aVariant(archived, { status: "draft" });
    const items = await googleItems(await addressOf(await aFeed()));
    expect(itemWith(items, variant.id)).toMatchObject({
      title: "Desk lamp – S – Blue",
      link: `https://lamps.example/products/${variant.id}?variant=${variant.id}`,
      price: "25.00 USD",
      sale_price: "",
      availability: "in_stock",
      gtin: "4006381333931",
      identifier_exists: "yes",
      item_group_id: String(parent.id),
      size: "S",
      color: "Blue",
      product_type: "Lamps",
      shipping_weight: "900 g",
      condition: "new",
    });
    expect(itemWith(items, sold.id)).toMatchObject({
      price: "29.99 USD",
      sale_price: "19.99 USD",
      availability: "out_of_stock",
      brand: "Lumen",
      item_group_id: "",
      condition: "used",
    });
    const ids = items.map(({ id }) => Number(id));
    for (const { id } of [parent, hidden, draft, archived, ofArchived]) expect(ids).not.toContain(id);
  });

  it("gives variants that differ in other options different titles and details", async () => {
    const parent = await aParent({
      images,
      name: "Cable",
      options: [{ name: "Length", values: ["1 m", "3 m, white", '2.5"'] }],
    });
    const [short, long, inches] = [await aVariant(parent), await aVariant(parent), await aVariant(parent)];
    const items = await googleItems(await addressOf(await aFeed()));
    expect(itemWith(items, short.id)).toMatchObject({ title: "Cable – 1 m", product_detail: "Options:Length:1 m" });
    expect(itemWith(items, long.id)).toMatchObject({ product_detail: "Options:Length:3 m white" });
    expect(itemWith(items, inches.id)).toMatchObject({ product_detail: 'Options:Length:"2.5"""' });
  });

  it("keeps each item in its row, whatever its texts contain", async () => {
    const name = 'Lamp "Nova"';
    const description = '# Bright\n\n**12 W**,\twarm\r\nand "cosy" <b>=1+1</b> 💡';
    const product = await aProduct({ images, name, description, slug: `lámpa-${crypto.randomUUID()}` });
    const feed = await aFeed({ product_url: "https://lamps.example/p/{slug}?id={id}" });
    const item = itemWith(await googleItems(await addressOf(feed)), product.id);
    expect(item?.title).toBe(name);
    expect(item?.description).toBe('Bright 12 W, warm and "cosy" <b>=1+1</b> 💡');
    expect(item?.link).toBe(`https://lamps.example/p/${encodeURIComponent(product.slug)}?id=${product.id}`);
  });
});

it("lists products for OpenAI as compressed lines of JSON", async () => {
  const parent = await aParent({ images, name: "Floor lamp" });
  const variant = await aVariant(parent);
  const product = await aProduct({ images: [{ url: "/images/abc.png", alt: "" }], condition: "refurbished" });
  const feed = await aFeed({ format: "openai", returns_url: "https://lamps.example/returns" });
  const address = await addressOf(feed);
  expect(address).toMatch(/\/feeds\/products\.jsonl\.gz\?key=sff_[\w-]{43}$/);
  const { bytes, headers } = await read(address);
  expect(headers.get("Content-Type")).toBe("application/gzip");
  const items = gunzipSync(bytes)
    .toString("utf8")
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row));
  const [ofVariant, ofProduct] = [variant, product].map(({ id }) => items.find((item) => item.item_id === String(id)));
  expect(ofVariant).toMatchObject({
    is_eligible_search: true,
    is_eligible_checkout: false,
    group_id: String(parent.id),
    listing_has_variations: true,
    condition: "new",
    variant_dict: { Size: "S", Color: "Blue" },
    target_countries: ["DE"],
    store_country: "DE",
    seller_url: "https://lamps.example",
    return_policy: "https://lamps.example/returns",
  });
  expect(ofProduct).toMatchObject({
    image_url: "https://shop.test/images/abc.png",
    listing_has_variations: false,
    condition: "refurbished",
  });
  for (const member of ["group_id", "variant_dict"]) expect(ofProduct).not.toHaveProperty(member);
  // Each item has the members that https://developers.openai.com/commerce/specs/file-upload/products requires.
  const required = ["item_id", "title", "description", "url", "brand", "image_url", "price", "availability"];
  for (const member of [...required, "seller_name", "target_countries", "store_country"])
    for (const item of items) expect(item).toHaveProperty(member);
});

describe("an address", () => {
  it("is shown once, ends when it is replaced or its feed deleted, and is invalid in any other spelling", async () => {
    const feed = await aFeed();
    const first = await addressOf(feed);
    expect((await read(first)).status).toBe(200);
    const { data } = (await call(`GET /admin/feeds/${feed.id}`, { as: admin.token })).body;
    expect(data).toMatchObject({ has_address: true, last_read_at: expect.any(String) });
    expect(JSON.stringify(data)).not.toContain("sff_");
    const second = await addressOf(feed);
    expect(second).not.toBe(first);
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);
    for (const wrong of [
      second.slice(0, -6),
      `${second}x`,
      second.replace("sff_", "sff-"),
      "/feeds/products.tsv",
      "/feeds/products.tsv?key=",
    ]) {
      expect((await read(new URL(wrong, "https://shop.test").href)).status).toBe(404);
    }
    await call(`DELETE /admin/feeds/${feed.id}`, { as: admin.token });
    expect((await read(second)).status).toBe(404);
    const log = (await call(`GET /admin/audit-log?subject=feed&subject_id=${feed.id}`, { as: admin.token })).body.data;
    expect(log.map(({ action }: { action: string }) => action)).toEqual([
      "feed.delete",
      "feed.rotate",
      "feed.rotate",
      "feed.create",
    ]);
    expect(JSON.stringify(log)).not.toContain("sff_");
  });

  it("says in a few bytes that nothing has changed", async () => {
    const address = await addressOf(await aFeed());
    const ETag = String((await read(address)).headers.get("ETag"));
    for (const known of [ETag, `W/${ETag}`, `"other", ${ETag}`, "*"]) {
      expect((await read(address, { "If-None-Match": known })).status).toBe(304);
    }
    const product = await aProduct();
    await call(`PUT /admin/products/${product.id}`, { as: admin.token, body: { price: 5 } });
    expect((await read(address, { "If-None-Match": ETag })).status).toBe(200);
  });
});

it.each([
  ["product_url", "http://lamps.example/{id}"],
  ["product_url", "https://lamps.example/products"],
  ["product_url", "javascript:{id}"],
  ["returns_url", "ftp://lamps.example"],
  ["country", "XX"],
  ["format", "bing"],
])("refuses %s %s", async (field, value) => {
  const body = {
    name: "Feed",
    format: "google",
    country: "DE",
    product_url: "https://lamps.example/{id}",
    [field]: value,
  };
  const { status, body: answer } = await call("POST /admin/feeds", { as: admin.token, body });
  expect([status, Object.keys(answer.errors)]).toEqual([400, [field]]);
});

it("makes the pattern of products' addresses from the address of any product", async () => {
  const product = await aProduct({ slug: "walnut-2031-lamp", images });
  const patterns = [
    ["https://lamps.example/p/walnut-2031-lamp", "https://lamps.example/p/{slug}"],
    ["https://lamps.example/p/walnut-2031-lamp.html?variant=7#top", "https://lamps.example/p/{slug}.html"],
    [`https://lamps.example/p/${product.id}/`, "https://lamps.example/p/{id}/"],
    [`https://lamps.example/show?product=${product.id}&ref=mail`, "https://lamps.example/show?product={id}&ref=mail"],
    ["https://lamps.example/p/{id}?ref=feed", "https://lamps.example/p/{id}?ref=feed"],
  ];
  for (const [product_url, pattern] of patterns)
    expect(await aFeed({ product_url })).toMatchObject({ product_url: pattern });
  const { id } = await aFeed();
  const body = { product_url: "https://lamps.example/neu/walnut-2031-lamp" };
  const changed = await call(`PUT /admin/feeds/${id}`, { as: admin.token, body });
  expect(changed.body.data).toMatchObject({ product_url: "https://lamps.example/neu/{slug}" });
  const { html } = await (await anAdministrator()).get(`/admin/feeds/${id}`);
  expect(html).toMatch(/href="https:\/\/lamps\.example\/neu\/[\w-]+"/);
});

it("streams 10,000 products page by page, reading each row once", async () => {
  const copied = `INSERT INTO products (name, slug, sku, type, status, price, images, requires_shipping, manage_stock, created_at, updated_at)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    SELECT 'Bulk ' || n, ?1 || n, ?1 || n, 'physical', 'active', 1000, '[{"url":"https://lamps.example/lamp.webp","alt":""}]', 1, 0, 1, 1 FROM numbers`;
  for (const run of ["bulk-a-", "bulk-b-"]) await env.DB.prepare(copied).bind(run).run();
  const address = await addressOf(await aFeed());
  const { bindings, work } = counting<Env>(env);
  const { bytes } = await read(address, {}, bindings);
  const rows = bytes.toString("utf8").trimEnd().split("\n");
  expect(rows.length).toBeGreaterThan(10_000);
  const total = await db.$count(products);
  expect(work.statements).toBeLessThan(total / 1500 + 12);
  // A product, and the path of its category.
  expect(work.rowsRead).toBeLessThan(total * 2 + 200);
});
