import { desc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, products, stockAdjustments } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { aUser, db, orderOf } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

let made = 0;

type Visitor = Awaited<ReturnType<typeof anAdministrator>>;

const aForm = (more: object = {}) => ({
  name: `Shirt ${++made}`,
  sku: `SHIRT${made}-${crypto.randomUUID().slice(0, 8)}`,
  type: "physical",
  status: "active",
  price: "20",
  "options.0.name": "Size",
  "options.0.values": "S, M",
  "options.1.name": "Color",
  "options.1.values": "Blue, Red",
  ...more,
});

const rowOf = async (id: number) => (await db.select().from(products).where(eq(products.id, id)).get()) ?? fail(id);
const fail = (id: number): never => {
  throw new Error(`No product ${id}`);
};
const variantsOf = (id: number) =>
  db.select().from(products).where(eq(products.parentId, id)).orderBy(products.id).all();
const errorsIn = ({ html }: Page) =>
  [...html.matchAll(/<li><a href="#[^"]*">([^<]*(?:<!--.*?-->)?[^<]*)<\/a>: ([^<]*)/g)].map(
    ([, field, words]) => `${field}: ${words}`,
  );

/** A shirt in two sizes and two colors, with its four variants. */
async function aShirt(visitor: Visitor, stock = "5") {
  const { location } = await visitor.post("/admin/products", aForm());
  const path = location ?? "";
  const id = Number(path.split("/").at(-1));
  await visitor.post(`${path}/variants/generate`, {
    price: "20",
    sku_pattern: "{sku}-{Size}-{Color}",
    stock_quantity: stock,
  });
  const variants = await variantsOf(id);
  return { id, path, variants, first: variants[0] ?? fail(id), second: variants[1] ?? fail(id) };
}

/** The form of the table as a browser would send it, with changes. */
async function table({ get }: Visitor, path: string, changes: Record<string, string | string[]>) {
  return { ...fieldsOf(await get(path), `${path}/variants`), ...changes };
}

describe("options of a product", () => {
  it("make variants with the cost and stock that were typed for a new product", async () => {
    const visitor = await anAdmin();
    const typed = { cost: "8", stock_quantity: "3", compare_at_price: "25" };
    const { location, status } = await visitor.post("/admin/products", aForm(typed));
    expect(status).toBe(303);
    const made = await variantsOf(Number(location?.split("/").at(-1)));
    expect(made).toHaveLength(4);
    expect(made[0]).toMatchObject({ price: 2_000, cost: 800, compareAtPrice: 2_500, stockQuantity: 3 });
  });

  it("keep the product whose variants cannot be made, and say why", async () => {
    const visitor = await anAdmin();
    const values = Array.from({ length: 250 }, (_, n) => `v${n}`).join(", ");
    const many = { "options.0.values": values, "options.1.values": values, cost: "8" };
    const { location } = await visitor.post("/admin/products", aForm(many));
    expect((await visitor.get(location ?? "")).html).toContain("It has no variants yet: would exceed");
  });

  it("with more combinations than allowed are counted, not built", async () => {
    const visitor = await anAdmin();
    const values = Array.from({ length: 250 }, (_, n) => `v${n}`).join(", ");
    const many = { "options.0.values": values, "options.1.values": values };
    const third = { "options.2.name": "Cut", "options.2.values": values };
    const { location } = await visitor.post("/admin/products", aForm({ ...many, ...third }));
    expect((await visitor.get(location ?? "")).html).toContain("more combinations than the 1,000 variants");
  });

  it("come from lists with commas or lines, and lead to the variants that the page offers to generate", async () => {
    const visitor = await anAdmin();
    const sent = aForm({ "options.1.values": "Blue, pale\nRed" });
    const { location } = await visitor.post("/admin/products", sent);
    const page = await visitor.get(location ?? "");
    expect(page.html).toContain("Generate 4 variants");
    expect(fieldsOf(page, location ?? "")["options.1.values"]).toEqual(["Blue, pale\nRed\n"]);
    expect((await rowOf(Number(location?.split("/").at(-1)))).options).toEqual([
      { name: "Size", values: ["S", "M"] },
      { name: "Color", values: ["Blue, pale", "Red"] },
    ]);
  });

  it("are refused in the row where they were typed", async () => {
    const { post } = await anAdmin();
    const page = await post(
      "/admin/products",
      aForm({ "options.0.name": "", "options.0.values": "", "options.1.values": "" }),
    );
    expect(page.status).toBe(400);
    expect(page.html).toMatch(/<textarea[^>]* id="admin-products-options-1-values"[^>]* aria-invalid="true"/);
  });

  it("keep a value that a variant uses, rename one that is overwritten, and add new ones", async () => {
    const visitor = await anAdmin();
    const { id, path, first } = await aShirt(visitor);
    const form = fieldsOf(await visitor.get(path), path);
    const refused = await visitor.post(path, { ...form, "options.1.values": "Blue" });
    expect(refused.status).toBe(400);
    // Two variants have the value.
    expect(errorsIn(refused)).toEqual([expect.stringContaining("must keep Red, which variant")]);
    await visitor.post(path, { ...form, "options.0.values": "Small, M, L" });
    expect((await rowOf(first.id)).optionValues[0]).toEqual({ name: "Size", value: "Small" });
    expect((await rowOf(id)).options[0]?.values).toEqual(["Small", "M", "L"]);
    expect((await visitor.get(path)).html).toContain("Generate 2 variants");
  });

  it("are hidden for a product with stock of its own, and replace its fields on one with variants", async () => {
    const visitor = await anAdmin();
    const { location } = await visitor.post("/admin/products", {
      ...aForm({ "options.0.name": "", "options.0.values": "", "options.1.name": "", "options.1.values": "" }),
      stock_quantity: "3",
    });
    const page = await visitor.get(location ?? "");
    expect(page.html).toContain("This product has stock of its own.");
    expect(page.html).not.toContain('name="options.0.name"');
    const shirt = await visitor.get((await aShirt(visitor)).path);
    const form = fieldsOf(shirt, shirt.html.match(/action="(\/admin\/products\/\d+)"/)?.[1] ?? "");
    expect(Object.keys(form)).not.toEqual(expect.arrayContaining(["price"]));
    expect(Object.keys(form)).not.toEqual(expect.arrayContaining(["manage_stock"]));
  });
});

describe("the table of variants", () => {
  it("saves changes of several rows at once, with one audit entry and one reason", async () => {
    const visitor = await anAdmin();
    const { id, path, first, second } = await aShirt(visitor);
    const before = await visitor.get(path);
    expect(before.html).toContain("4 variants");
    const { location } = await visitor.post(
      `${path}/variants`,
      await table(visitor, path, {
        [`variants.${first.id}.price`]: "25",
        [`variants.${first.id}.compare_at_price`]: "30",
        [`variants.${first.id}.sku`]: second.sku,
        [`variants.${second.id}.sku`]: first.sku,
        [`variants.${second.id}.on_hand`]: "12",
        [`variants.${second.id}.status`]: "draft",
        reason: "Delivery",
      }),
    );
    expect(location).toBe(path);
    expect(await rowOf(first.id)).toMatchObject({
      price: 2500,
      compareAtPrice: 3000,
      sku: second.sku,
      stockQuantity: 5,
    });
    expect(await rowOf(second.id)).toMatchObject({ price: 2000, sku: first.sku, stockQuantity: 12, status: "draft" });
    const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(desc(auditLog.id)).all();
    expect(entries.map(({ action }) => action)).toEqual([
      "product.change_variants",
      "product.add_variants",
      "product.create",
    ]);
    expect(entries[0]?.after).toEqual({
      variants: [
        { variant: first.sku, sku: second.sku, price: 25, compare_at_price: 30 },
        { variant: second.sku, sku: first.sku, status: "draft", on_hand: 12 },
      ],
      reason: "Delivery",
    });
    const adjustments = await db.select().from(stockAdjustments).where(eq(stockAdjustments.productId, second.id)).all();
    expect(adjustments).toMatchObject([{ delta: 7, reason: "Delivery" }]);
  });

  it("names the row and the field of each mistake and saves nothing", async () => {
    const visitor = await anAdmin();
    const { path, first, second } = await aShirt(visitor);
    const other = await aShirt(visitor);
    const sent = await table(visitor, path, {
      [`variants.${first.id}.compare_at_price`]: "5",
      [`variants.${first.id}.on_hand`]: "6",
      [`variants.${second.id}.on_hand`]: "",
    });
    const refused = await visitor.post(`${path}/variants`, sent);
    expect(refused.status).toBe(400);
    expect(errorsIn(refused)).toEqual([expect.stringMatching(/^S \/ Red, On hand: must be a whole number/)]);
    sent[`variants.${second.id}.on_hand`] = "7";
    expect(errorsIn(await visitor.post(`${path}/variants`, sent))).toEqual([
      "S / Blue, Compare-at price: must be higher than the price, or empty",
      "Reason for stock changes: is required to change counted stock",
    ]);
    const taken = {
      ...sent,
      [`variants.${first.id}.compare_at_price`]: "",
      [`variants.${second.id}.sku`]: other.first.sku,
    };
    expect(errorsIn(await visitor.post(`${path}/variants`, { ...taken, reason: "Count" }))).toEqual([
      "S / Red, SKU: belongs to another product",
    ]);
    expect(await rowOf(first.id)).toMatchObject({ stockQuantity: 5 });
    expect(await rowOf(second.id)).toMatchObject({ stockQuantity: 5, sku: second.sku });
  });

  it("sets a price and a stock of the selected rows", async () => {
    const visitor = await anAdmin();
    const { path, variants, first, second } = await aShirt(visitor, "");
    const sent = await table(visitor, path, {
      ids: [String(first.id), String(second.id)],
      "set.price": "18.50",
      "set.on_hand": "12",
      apply: "true",
    });
    expect((await visitor.post(`${path}/variants`, sent)).location).toBe(path);
    const rows = await Promise.all(variants.map(({ id }) => rowOf(id)));
    expect(rows.map(({ price, stockQuantity }) => [price, stockQuantity])).toEqual([
      [1850, 12],
      [1850, 12],
      [2000, null],
      [2000, null],
    ]);
  });

  it("gives the selected rows one of the product's pictures, or all of them", async () => {
    const visitor = await anAdmin();
    const { id, path, first, second } = await aShirt(visitor);
    const images = [
      { url: "https://shop.example/all.png", alt: "All" },
      { url: "https://shop.example/blue.png", alt: "Blue" },
    ];
    await db.update(products).set({ images }).where(eq(products.id, id));
    const set = async (image: string) =>
      visitor.post(
        `${path}/variants`,
        await table(visitor, path, { ids: [String(first.id)], "set.image": image, apply: "true" }),
      );
    await set("https://shop.example/blue.png");
    expect(await rowOf(first.id)).toMatchObject({ images: images.slice(1) });
    expect((await rowOf(first.id)).inherits).not.toContain("images");
    expect(await rowOf(second.id)).toMatchObject({ images });
    expect(errorsIn(await set("https://shop.example/other.png"))).toEqual([
      "S / Blue, Picture: is not an image of the product",
    ]);
    await set("product");
    expect(await rowOf(first.id)).toMatchObject({ images });
    expect((await rowOf(first.id)).inherits).toContain("images");
  });

  it("shows another person's change and does not undo untouched fields", async () => {
    const visitor = await anAdmin();
    const { path, first, second } = await aShirt(visitor);
    const mine = await table(visitor, path, { [`variants.${first.id}.price`]: "30" });
    await visitor.post(`${path}/variants`, await table(visitor, path, { [`variants.${second.id}.price`]: "40" }));
    const refused = await visitor.post(`${path}/variants`, mine);
    expect(refused.status).toBe(412);
    const etag = /name="overwrite" value="([^"]*)"/.exec(refused.html)?.[1]?.replaceAll("&quot;", '"') ?? "";
    await visitor.post(`${path}/variants`, { ...mine, overwrite: etag });
    expect((await rowOf(first.id)).price).toBe(3000);
    expect((await rowOf(second.id)).price).toBe(4000);
  });

  it("refuses counts below the reserved stock, and variants of other products", async () => {
    const visitor = await anAdmin();
    const { path, first } = await aShirt(visitor);
    const buyer = await aUser({ wallet: 10_000 });
    expect((await call("POST /orders", { as: buyer.token, body: orderOf(first, 2) })).status).toBe(201);
    const page = await visitor.get(path);
    expect(page.html).toContain("2 in orders");
    const sent = await table(visitor, path, { [`variants.${first.id}.on_hand`]: "1", reason: "Count" });
    expect(errorsIn(await visitor.post(`${path}/variants`, sent))).toEqual([
      "S / Blue, On hand: must be at least 2, the number of units held by unshipped orders",
    ]);
    const other = await aShirt(visitor);
    const foreign = await table(visitor, path, { [`variants.${other.first.id}.price`]: "1" });
    expect((await visitor.post(`${path}/variants`, foreign)).location).toBe(path);
    expect((await rowOf(other.first.id)).price).toBe(2000);
  });
});

describe("the page of a variant", () => {
  it("switches a field between the product's value and its own", async () => {
    const visitor = await anAdmin();
    const { path, first } = await aShirt(visitor);
    const own = `/admin/products/${first.id}`;
    const page = await visitor.get(own);
    expect(page.html).toContain(`href="${path}"`);
    const form = fieldsOf(page, `${own}/variant`);
    expect(form.inherits).toContain("name");
    // A field that follows the product ignores its typed value.
    await visitor.post(`${own}/variant`, { ...form, description: "Ignored", price: "21" });
    expect(await rowOf(first.id)).toMatchObject({ description: "", price: 2100 });
    const again = fieldsOf(await visitor.get(own), `${own}/variant`);
    const inherits = (again.inherits ?? []).filter((name) => name !== "name");
    await visitor.post(`${own}/variant`, { ...again, inherits, name: "Blue shirt" });
    expect((await rowOf(first.id)).name).toBe("Blue shirt");
    expect((await rowOf(first.id)).inherits).not.toContain("name");
    const last = fieldsOf(await visitor.get(own), `${own}/variant`);
    await visitor.post(`${own}/variant`, { ...last, inherits: [...inherits, "name"] });
    expect((await rowOf(first.id)).name).toMatch(/^Shirt/);
  });

  it("refuses values of another variant at the values, and deletes the variant", async () => {
    const visitor = await anAdmin();
    const { id, path, first } = await aShirt(visitor);
    const own = `/admin/products/${first.id}`;
    const form = fieldsOf(await visitor.get(own), `${own}/variant`);
    const refused = await visitor.post(`${own}/variant`, { ...form, "option_values.1": "Red" });
    expect(errorsIn(refused)).toEqual([expect.stringContaining("Option values: belong to another variant")]);
    const { location } = await visitor.post(`${own}/delete`, fieldsOf(await visitor.get(own), `${own}/delete`));
    expect(location).toBe(path);
    expect(await variantsOf(id)).toHaveLength(3);
  });
});

describe("the form that adds a variant", () => {
  it("adds one for a missing combination, with its SKU or one made from the values", async () => {
    const visitor = await anAdmin();
    const { id, path, first } = await aShirt(visitor);
    const own = `/admin/products/${first.id}`;
    await visitor.post(`${own}/delete`, fieldsOf(await visitor.get(own), `${own}/delete`));
    const form = fieldsOf(await visitor.get(path), `${path}/variants/add`);
    expect([form["option_values.0"], form["option_values.1"]]).toEqual([["S"], ["Blue"]]);
    const taken = await visitor.post(`${path}/variants/add`, {
      ...form,
      "option_values.1": "Red",
      stock_quantity: "3",
    });
    expect(errorsIn(taken)).toEqual([expect.stringContaining("Option values: belong to another variant")]);
    expect(fieldsOf(taken, `${path}/variants/add`)).toMatchObject({
      "option_values.1": ["Red"],
      stock_quantity: ["3"],
    });
    await visitor.post(`${path}/variants/add`, { ...form, price: "21.50", stock_quantity: "7" });
    const added = (await variantsOf(id)).at(-1);
    expect(added).toMatchObject({ sku: first.sku, price: 2150, stockQuantity: 7, optionValues: first.optionValues });
    await visitor.post(
      `/admin/products/${added?.id}/delete`,
      fieldsOf(await visitor.get(`/admin/products/${added?.id}`), `/admin/products/${added?.id}/delete`),
    );
    await visitor.post(`${path}/variants/add`, { ...form, sku: `${first.sku}-own` });
    expect((await variantsOf(id)).at(-1)).toMatchObject({ sku: `${first.sku}-own`, manageStock: false });
  });

  it("is not offered once every combination has a variant", async () => {
    const visitor = await anAdmin();
    const { path } = await aShirt(visitor);
    expect((await visitor.get(path)).html).not.toContain("Add variant");
  });
});

it("the list of products counts variants and their stock, and shows their price range", async () => {
  const visitor = await anAdmin();
  const { id, path, first } = await aShirt(visitor, "3");
  await visitor.post(`${path}/variants`, await table(visitor, path, { [`variants.${first.id}.price`]: "28" }));
  const { html } = await visitor.get(`/admin/products?search=${(await rowOf(id)).sku}`);
  const text = html.replaceAll(/<[^>]+>/g, "");
  expect(text).toContain("4 variants, 12 in stock");
  expect(text).toContain("$20.00–$28.00");
  const low = (await visitor.get("/admin/products?low_stock=true")).html;
  expect(low).toContain("(S / Blue)");
});

it("pickers find a variant by its product and its values, or by its SKU", async () => {
  const visitor = await anAdmin();
  const { id, first } = await aShirt(visitor);
  const found = async (q: string) => (await visitor.get(`/admin/pick?kinds=product&q=${encodeURIComponent(q)}`)).html;
  const { name, sku } = await rowOf(id);
  const blue = await found(`${name} blue`);
  expect(blue).toContain("S / Blue");
  expect(blue).toContain("M / Blue");
  expect(blue).not.toContain("/ Red");
  expect(await found(`${sku} m re`)).toContain("M / Red");
  expect(await found(name)).not.toContain("S / Blue");
  expect(await found(first.sku)).toContain(`data-value="${first.id}"`);
});

it("an order, its slip and its invoice name the values that were sold", async () => {
  const visitor = await anAdmin();
  const { first } = await aShirt(visitor);
  const buyer = await aUser({ wallet: 10_000 });
  const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(first) });
  for (const page of ["", "/packing-slip", "/invoice"]) {
    expect((await visitor.get(`/admin/orders/${body.data.id}${page}`)).html).toContain("Size: S, Color: Blue");
  }
});
