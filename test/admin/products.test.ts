import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, productFiles, products, stockAdjustments } from "../../src/platform/db/schema.ts";
import { administration, entriesOf } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { stockThatCameIn } from "../support/invariants.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aFile, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const { admin, ask } = administration();
let made = 0;

const aNew = (fields: Record<string, unknown> = {}) => ({
  name: "A Lamp",
  sku: `LAMP-${++made}`,
  type: "physical",
  price: 49.9,
  ...fields,
});

const create = (fields?: Record<string, unknown>) => ask("POST /admin/products", aNew(fields));

const rowOf = (id: number) => db.select().from(products).where(eq(products.id, id)).get();

describe("creating a product", () => {
  it("requires a name, an SKU, a type and a price, and returns the whole record", async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: "A Lamp",
      slug: "a-lamp",
      status: "draft",
      price: 49.9,
      compare_at_price: null,
      category: null,
      requires_shipping: true,
      manage_stock: false,
      stock_quantity: null,
      in_stock: true,
      files: [],
      download_limit: null,
    });
  });

  it("is visible to buyers once it is active", async () => {
    const buyer = await aUser();
    const { body } = await create({ slug: "shining" });
    const seen = () => call(`GET /products/${body.data.id}`, { as: buyer.token });
    expect((await seen()).status).toBe(404);
    await ask(`PUT /admin/products/${body.data.id}`, { status: "active" });
    expect((await seen()).body.data.slug).toBe("shining");
  });

  it("manages the given stock, and grants the files with their limits", async () => {
    const file = await aFile({ access: "package", publishedAt: null });
    const fields = { type: "digital", stock_quantity: 3, file_ids: [file.id, file.id], download_limit: 2 };
    const { body } = await create(fields);
    expect(body.data).toMatchObject({
      requires_shipping: false,
      manage_stock: true,
      stock_quantity: 3,
      files: [{ id: file.id, name: file.name }],
      download_limit: 2,
    });
  });

  it("finds another slug for each of five products that get a name at the same moment", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ name: "At Once" })));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(5);
  });

  it("finds another slug for a taken name, and refuses a requested slug that is taken", async () => {
    const first = await create({ name: "Twice" });
    const second = await create({ name: "Twice" });
    expect(first.body.data.slug).toBe("twice");
    expect(second.body.data.slug).toBe("twice-2");
    expect((await create({ name: "Twice" })).body.data.slug).toBe("twice-3");
    expectRefusal(await create({ slug: "twice" }), 400, "slug", "slug_taken");
  });

  it.each([
    ["another script", { name: "Чай чёрный" }, "chay-chyornyy"],
    ["accents and signs", { name: "  Café Crème, 200g! " }, "cafe-creme-200g"],
  ])("makes a slug from %s", async (_, fields, slug) => {
    expect((await create(fields)).body.data.slug).toBe(slug);
  });

  it.each([
    ["sku", { sku: "" }],
    ["sku", { sku: "A\nB" }],
    ["name", { name: "   " }],
    ["name", { name: "x".repeat(201) }],
    ["slug", { slug: "Not A Slug" }],
    ["slug", { slug: "../admin" }],
    ["type", { type: "weapon" }],
    ["status", { status: "archived" }],
    ["price", { price: -1 }],
    ["price", { price: 1.005 }],
    ["price", { price: 1e12 }],
    ["compare_at_price", { compare_at_price: "9" }],
    ["category_id", { category_id: 999_999 }],
    ["file_ids.1", { file_ids: [1, 999_999] }],
    ["images.0.url", { images: [{ url: "javascript:alert(1)" }] }],
    ["images.0.url", { images: [{ url: "data:text/html,x" }] }],
    ["images.0.url", { images: [{ url: "//evil.example/x.png" }] }],
    ["images.0.url", { images: [{ url: "http://[a.png" }] }],
    ["images", { images: Array(21).fill({ url: "/a.png" }) }],
    ["stock_quantity", { stock_quantity: -1 }],
    ["stock_quantity", { stock_quantity: 1.5 }],
    ["stock_quantity", { manage_stock: true }],
    ["stock_quantity", { manage_stock: false, stock_quantity: 1 }],
    ["download_limit", { download_limit: 0 }],
    ["metadata.a", { metadata: { a: 1 } }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, "x"])) }],
    ["description", { description: "x".repeat(20_001) }],
  ])("refuses a wrong %s: %j", async (field, fields) => {
    await aFile();
    const sent = aNew(fields);
    expectRefusal(await ask("POST /admin/products", sent), 400, field);
    expect(await db.select().from(products).where(eq(products.sku, sent.sku)).all()).toEqual([]);
  });

  it("refuses an SKU of another product, and leaves no file, product or entry behind", async () => {
    const { sku } = await aProduct();
    const before = await db.$count(auditLog);
    expectRefusal(await create({ sku, file_ids: [(await aFile()).id] }), 400, "sku", "sku_taken");
    expect(await db.$count(auditLog)).toBe(before);
  });

  it("keeps a script in a name as text", async () => {
    const name = '<script>alert("x")</script>=HYPERLINK("evil")';
    expect((await create({ name })).body.data.name).toBe(name);
  });
});

describe("editing a product", () => {
  it("changes only the fields that are sent", async () => {
    const product = await aProduct({ price: 1000 });
    const { status, body } = await ask(`PUT /admin/products/${product.id}`, { price: 12.5 });
    expect(status).toBe(200);
    expect(body.data.price).toBe(12.5);
    expect(await rowOf(product.id)).toEqual({
      ...product,
      price: 1250,
      facets: expect.any(String),
      updatedAt: expect.any(Number),
    });
  });

  it("clears fields with null, and replaces the list of files", async () => {
    const [kept, gone] = [await aFile(), await aFile()];
    const category = await aCategory("Emptied");
    const product = await aProduct({ categoryId: category.id, compareAtPrice: 2000, fileIds: [gone.id] });
    const change = { category_id: null, compare_at_price: null, file_ids: [kept.id] };
    const { body } = await ask(`PUT /admin/products/${product.id}`, change);
    expect(body.data).toMatchObject({ category: null, compare_at_price: null, files: [{ id: kept.id }] });
  });

  it("refuses a body that changes nothing", async () => {
    const { id } = await aProduct();
    expectRefusal(await ask(`PUT /admin/products/${id}`, {}), 400, "body");
  });

  it("logs the change: who, what, when, before and after", async () => {
    const { id, name } = await aProduct({ price: 1000 });
    await ask(`PUT /admin/products/${id}`, { price: 12.5, name });
    const [entry] = await entriesOf(id);
    expect(entry).toMatchObject({
      actor: `user:${admin.id}`,
      action: "product.update",
      subject: "product",
      before: { price: 10 },
      after: { price: 12.5 },
    });
    const { body } = await ask(`GET /admin/audit-log?subject=product&subject_id=${id}`);
    expect(body.data).toEqual([
      expect.objectContaining({ actor_name: expect.any(String), before: { price: 10 }, after: { price: 12.5 } }),
    ]);
  });

  it("refuses a compare-at price that is not above the price, whichever is sent", async () => {
    const { id } = await aProduct({ price: 1000, compareAtPrice: 1200 });
    for (const sent of [
      { compare_at_price: 10 },
      { compare_at_price: 9.99 },
      { price: 12 },
      { price: 20, compare_at_price: 15 },
    ])
      expectRefusal(await ask(`PUT /admin/products/${id}`, sent), 400, "compare_at_price");
    expect(await rowOf(id)).toMatchObject({ price: 1000, compareAtPrice: 1200 });
    expect((await ask(`PUT /admin/products/${id}`, { price: 20, compare_at_price: null })).status).toBe(200);
    expectRefusal(await create({ price: 10, compare_at_price: 10 }), 400, "compare_at_price");
  });
});

describe("two people editing one product", () => {
  it("accepts the ETag of the last response, a list of ETags, and a star", async () => {
    const { id } = await aProduct();
    const first = await ask(`PUT /admin/products/${id}`, { price: 11 });
    const etag = String(first.headers.get("ETag"));
    expect((await ask(`PUT /admin/products/${id}`, { price: 12 }, { "If-Match": `"old", ${etag}` })).status).toBe(200);
    expect((await ask(`PUT /admin/products/${id}`, { price: 13 }, { "If-Match": "*" })).status).toBe(200);
  });

  it("does not treat a sale as an edit", async () => {
    const product = await aProduct();
    const etag = String((await ask(`GET /admin/products/${product.id}`)).headers.get("ETag"));
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf(product) });
    const answer = await ask(`PUT /admin/products/${product.id}`, { name: "Renamed" }, { "If-Match": etag });
    expect(answer.body.data).toMatchObject({ name: "Renamed", stock_quantity: 99 });
  });
});

describe("deleting a product", () => {
  it("deletes a product that was never sold, also from carts", async () => {
    const product = await aProduct({ fileIds: [(await aFile()).id] });
    const buyer = await aUser();
    await call("POST /cart", { as: buyer.token, body: { product_id: product.id } });
    expect((await ask(`DELETE /admin/products/${product.id}`)).status).toBe(204);
    expect((await ask(`GET /admin/products/${product.id}`)).status).toBe(404);
    expect((await call("GET /cart", { as: buyer.token })).body.data.items).toEqual([]);
    expect(await db.select().from(productFiles).where(eq(productFiles.productId, product.id)).all()).toEqual([]);
    expect((await entriesOf(product.id))[0]).toMatchObject({
      action: "product.delete",
      before: { name: product.name },
      after: null,
    });
  });

  it("keeps one that was sold, and says how to withdraw it from the shop", async () => {
    const product = await aProduct();
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf(product) });
    const { status, body } = await ask(`DELETE /admin/products/${product.id}`);
    expect(status).toBe(409);
    expect(body.message).toContain("draft");
    expect(await entriesOf(product.id)).toEqual([]);
  });
});

describe("the stock", () => {
  const adjust = (id: number, body: unknown) => ask(`POST /admin/products/${id}/stock`, body);

  it("changes by arrivals and losses, each with a reason", async () => {
    const { id } = await aProduct({ stock: 5 });
    expect((await adjust(id, { delta: 10, reason: "Delivery 7" })).body.data.stock_quantity).toBe(15);
    expect((await adjust(id, { delta: -2, reason: "Broken" })).body.data.stock_quantity).toBe(13);
    const { body } = await ask(`GET /admin/products/${id}/stock`);
    expect(body.data).toEqual([
      expect.objectContaining({ delta: -2, reason: "Broken", actor: `user:${admin.id}` }),
      expect.objectContaining({ delta: 10, reason: "Delivery 7" }),
    ]);
    expect((await entriesOf(id))[0]).toMatchObject({
      action: "product.adjust_stock",
      before: { stock_quantity: 15 },
      after: { stock_quantity: 13, reason: "Broken" },
    });
  });

  it("becomes the counted number", async () => {
    const { id } = await aProduct({ stock: 5 });
    expect((await adjust(id, { quantity: 3, reason: "Counted" })).body.data.stock_quantity).toBe(3);
    expect((await db.select().from(stockAdjustments).where(eq(stockAdjustments.productId, id)))[0]?.delta).toBe(-2);
  });

  it("is not changed by an edit: only an adjustment changes it", async () => {
    const { id } = await aProduct({ stock: 5 });
    expectRefusal(await ask(`PUT /admin/products/${id}`, { stock_quantity: 50 }), 400, "stock_quantity");
    expect((await ask(`PUT /admin/products/${id}`, { stock_quantity: 5, price: 1 })).status).toBe(200);
  });

  it("keeps sales when somebody sends it back as they had read it", async () => {
    const product = await aProduct({ stock: 5 });
    const buyer = await aUser({ wallet: 10_000 });
    const DB = interleaved(env.DB, () => call("POST /orders", { as: buyer.token, body: orderOf(product, 3) }));
    const body = { price: 9, stock_quantity: 5 };
    const { status } = await callWith({ DB }, `PUT /admin/products/${product.id}`, { as: admin.token, body });
    expect(status).toBe(200);
    expect(await rowOf(product.id)).toMatchObject({ price: 900, stockQuantity: 2 });
  });

  it("starts and stops being managed by an edit", async () => {
    const { id } = await aProduct({ stock: null });
    expectRefusal(await ask(`PUT /admin/products/${id}`, { manage_stock: true }), 400, "stock_quantity");
    const managed = await ask(`PUT /admin/products/${id}`, { manage_stock: true, stock_quantity: 4 });
    expect(managed.body.data).toMatchObject({ manage_stock: true, stock_quantity: 4 });
    const free = await ask(`PUT /admin/products/${id}`, { manage_stock: false });
    expect(free.body.data).toMatchObject({ manage_stock: false, stock_quantity: null, in_stock: true });
  });

  it.each([
    ["delta", { delta: -6, reason: "Too many" }],
    ["delta", { delta: 0, reason: "Nothing" }],
    ["delta", { reason: "Neither" }],
    ["delta", { delta: 1, quantity: 1, reason: "Both" }],
    ["reason", { delta: 1 }],
    ["reason", { delta: 1, reason: " " }],
  ])("refuses a wrong %s: %j", async (field, body) => {
    const { id } = await aProduct({ stock: 5 });
    expectRefusal(await adjust(id, body), 400, field);
    expect((await rowOf(id))?.stockQuantity).toBe(5);
    expect(await entriesOf(id)).toEqual([]);
  });

  it("is refused where stock is not managed", async () => {
    const { id } = await aProduct({ stock: null });
    expectRefusal(await adjust(id, { delta: 1, reason: "None" }), 400, "delta");
  });

  it("adds up when goods arrive while others are sold", async () => {
    const product = await aProduct({ stock: 10 });
    const buyers = await Promise.all(Array.from({ length: 10 }, () => aUser({ wallet: 10_000 })));
    await Promise.all([
      ...buyers.map(({ token }) => call("POST /orders", { as: token, body: orderOf(product) })),
      ...buyers.map(() => adjust(product.id, { delta: 1, reason: "Delivery" })),
    ]);
    expect((await rowOf(product.id))?.stockQuantity).toBe(10);
    expect(await stockThatCameIn(product.id)).toBe(20);
  });
});

describe("categories", () => {
  it("are made, renamed and deleted, and count their products", async () => {
    const { body } = await ask("POST /admin/categories", { name: "Fine Lamps" });
    const { id } = body.data;
    expect(body.data).toMatchObject({ name: "Fine Lamps", slug: "fine-lamps", product_count: 0 });
    const product = await aProduct({ categoryId: id });
    expect((await ask(`GET /admin/categories/${id}`)).body.data.product_count).toBe(1);
    expect((await ask(`PUT /admin/categories/${id}`, { name: "Lamps" })).body.data.slug).toBe("fine-lamps");
    expect((await ask(`DELETE /admin/categories/${id}`)).status).toBe(409);
    await ask(`PUT /admin/products/${product.id}`, { category_id: null });
    expect((await ask(`DELETE /admin/categories/${id}`)).status).toBe(204);
    expect((await ask(`GET /admin/categories/${id}`)).status).toBe(404);
  });

  it("have slugs of their own", async () => {
    await ask("POST /admin/categories", { name: "Unique" });
    expectRefusal(await ask("POST /admin/categories", { name: "Other", slug: "unique" }), 400, "slug");
    expect((await ask("POST /admin/categories", { name: "Unique" })).body.data.slug).toMatch(/^unique-/);
  });
});

it("finds products by their exact brand, in lists for shoppers, staff and exports", async () => {
  const brand = "Ærø & Co";
  const { id } = (await create({ brand, status: "active", tags: ["Branded"] })).body.data;
  const other = (await create({ brand: "Ærø & Company" })).body.data;
  const named = (name: string) => `brand=${encodeURIComponent(name)}`;
  const idsOf = async (line: string) => (await ask(line)).body.data.map((row: { id: number }) => row.id);
  expect(await idsOf(`GET /admin/products?${named("Ærø & CO")}`)).toEqual([id]);
  expect(await idsOf(`GET /admin/products?${named(brand)}&tag=branded&sort=price&search=co`)).toEqual([id]);
  expect(await idsOf(`GET /products?${named(brand)}&status=active`)).toEqual([id]);
  expect(await idsOf(`GET /admin/products?${named("Ærø")}`)).toEqual([]);
  await ask(`PUT /admin/products/${id}`, { brand: "Ærø & Company" });
  expect(await idsOf(`GET /admin/products?${named("Ærø & Company")}`)).toEqual([other.id, id]);
  const csv = await ask(`GET /admin/exports/products/csv?${named("Ærø & Company")}`);
  expect(csv.body.split("\r\n")).toHaveLength(4);
  expectRefusal(await ask(`GET /products?after_id=0&${named(brand)}`), 400, "after_id");
});

describe("tags", () => {
  const found = async (query: string) => {
    const { status, body } = await ask(`GET /admin/products?${query}`);
    return [status, body.pagination?.total_items, body.data?.map(({ id }: { id: number }) => id)];
  };

  it("are shown as first typed, and found in any spelling", async () => {
    const first = (await create({ tags: ["Été", "  Sale  ", "sale"] })).body.data;
    expect(first.tags).toEqual(["Été", "Sale"]);
    const second = (await create({ tags: ["SALE", "New in"] })).body.data;
    expect(second.tags).toEqual(["Sale", "New in"]);
    expect(await found("tag=ete")).toEqual([200, 1, [first.id]]);
    expect(await found("tag=sale")).toEqual([200, 2, [second.id, first.id]]);
    expect(await found("tag=sale&tag=new%20in")).toEqual([200, 1, [second.id]]);
    expect(await found("tag=SALE,%C3%89t%C3%A9&sort=price")).toEqual([200, 1, [first.id]]);
    expect(await found("tag=unheard")).toEqual([200, 0, []]);
    expect(await found("tag=sale&search=lamp&status=draft&type=physical")).toEqual([200, 2, [second.id, first.id]]);
    const { body } = await ask(`PUT /admin/products/${second.id}`, { tags: ["ÉTÉ"] });
    expect(body.data.tags).toEqual(["Été"]);
    expect(await found("tag=ete")).toEqual([200, 2, [second.id, first.id]]);
    expect((await entriesOf(second.id))[0]).toMatchObject({
      ...{ before: { tags: ["Sale", "New in"] }, after: { tags: ["Été"] } },
    });
  });

  it("that are sent back in another spelling change nothing", async () => {
    const { id, updated_at, tags } = (await create({ tags: ["Handmade"] })).body.data;
    const { body } = await ask(`PUT /admin/products/${id}`, { tags: ["HANDMADE"] });
    expect(body.data).toMatchObject({ tags, updated_at });
  });

  it("of a product apply to its variants", async () => {
    const options = [{ name: "Size", values: ["S", "M"] }];
    const { id } = (await create({ options, tags: ["Loden"] })).body.data;
    const variants = await ask(`POST /admin/products/${id}/variants`, {
      ...{ option_values: [{ name: "Size", value: "S" }], sku: `LODEN-${id}`, price: 5 },
    });
    expect([variants.status, variants.body.data?.tags]).toEqual([201, ["Loden"]]);
    await ask(`PUT /admin/products/${id}`, { tags: ["Loden", "Wool"] });
    expect((await ask(`GET /admin/products/${variants.body.data.id}`)).body.data.tags).toEqual(["Loden", "Wool"]);
    expectRefusal(await ask(`PUT /admin/products/${variants.body.data.id}`, { tags: ["Own"] }), 400, "tags");
    expect(await found("tag=wool")).toEqual([200, 1, [id]]);
  });

  it("are at most fifty of fifty characters each, without commas", async () => {
    const many = Array.from({ length: 51 }, (_, n) => `tag-${n}`);
    expectRefusal(await create({ tags: many }), 400, "tags");
    expectRefusal(await create({ tags: ["x".repeat(51)] }), 400, "tags.0");
    expectRefusal(await create({ tags: ["a, b"] }), 400, "tags.0");
    expect((await create({ tags: many.slice(1) })).body.data.tags).toHaveLength(50);
    expectRefusal(await ask(`GET /admin/products?${many.map((tag) => `tag=${tag}`).join("&")}`), 400, "tag");
    expectRefusal(await ask("GET /admin/products?tag=a&updated_since=2020-01-01T00:00:00Z"), 400, "updated_since");
  });
});
