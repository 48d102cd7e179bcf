import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { products } from "../../src/platform/db/schema.ts";
import { etagOf } from "../../src/platform/http/version.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aCategory, aParent, aProduct, aUser, aVariant, db, orderOf } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

/** The options of a page's select in order: value, label, and whether it is selected. */
function optionsOf(html: string, name: string): [value: string, label: string, chosen: boolean][] {
  const select = html.split(/<select/).find((part) => part.includes(` name="${name}"`)) ?? "";
  const options = [...select.matchAll(/<option value="([^"]*)"([^>]*)>([^<]*)/g)];
  return options.map(([, value = "", more = "", label = ""]) => [value, label, more.includes("selected")]);
}

const aForm = (type: string) => ({
  name: `A ${type} thing`,
  sku: `FORM-${crypto.randomUUID()}`,
  type,
  status: "active",
  price: "10",
});

const bySku = (sku: string) => db.select().from(products).where(eq(products.sku, sku)).get();

describe("the form of a new product", () => {
  it("starts with the values of a product to duplicate, except those that are unique", async () => {
    const options = [{ name: "Size", values: ["S", "M"] }];
    const category = await aCategory("Duplicates");
    const product = await aProduct({ name: "Lantern", price: 1250, categoryId: category.id, stock: null, options });
    const page = await (await anAdmin()).get(`/admin/products/new?copy_of=${product.id}`);
    expect(fieldsOf(page, "/admin/products")).toMatchObject({
      name: ["Copy of Lantern"],
      sku: [""],
      slug: [""],
      status: ["draft"],
      price: ["12.50"],
      category_id: [String(category.id)],
      "options.0.name": ["Size"],
      "options.0.values": ["S, M"],
    });
    expect((await (await anAdmin()).get("/admin/products/new?copy_of=999999")).status).toBe(404);
  });

  it("creates the category that is typed instead of chosen, once", async () => {
    const { get, post } = await anAdmin();
    const name = `Vases ${crypto.randomUUID().slice(0, 8)}`;
    const first = await post("/admin/products", { ...aForm("physical"), new_category: name });
    const second = await post("/admin/products", { ...aForm("physical"), new_category: name.toUpperCase() });
    const chosen = [first, second].map(async ({ location }) => {
      const page = await get(String(location));
      return optionsOf(page.html, "category_id").find(([, , isChosen]) => isChosen)?.[1];
    });
    expect(await Promise.all(chosen)).toEqual([name, name]);
    const path = String(second.location);
    const moved = await post(path, { ...fieldsOf(await get(path), path), new_category: `${name} of glass` });
    expect(moved.status).toBe(303);
    expect((await get(path)).html).toContain(`${name} of glass</option>`);
  });

  it("chooses no category, however many exist", async () => {
    const made = [await aCategory("Zinc"), await aCategory("Amber")];
    const { get, post } = await anAdmin();
    const options = optionsOf((await get("/admin/products/new")).html, "category_id");
    expect(options[0]).toEqual(["", "None", false]);
    expect(options.filter(([, , chosen]) => chosen)).toEqual([]);
    const labels = options.slice(1).map(([, label]) => label);
    expect(labels).toEqual(labels.toSorted());
    expect(labels).toEqual(expect.arrayContaining(made.map(({ name }) => name)));
    const form = { ...aForm("physical"), category_id: "" };
    await post("/admin/products", form);
    expect((await bySku(form.sku))?.categoryId).toBeNull();
  });

  it.each([
    ["physical", "", true],
    ["digital", "", false],
    ["service", "", false],
    ["digital", "true", true],
    ["physical", "false", false],
  ])(
    "of type %s, with %j for shipping, creates a product that requires it: %s",
    async (type, requires_shipping, sent) => {
      const { get, post } = await anAdmin();
      const form = { ...aForm(type), requires_shipping };
      await post("/admin/products", form);
      const row = await bySku(form.sku);
      expect(row?.requiresShipping).toBe(sent);
      const options = optionsOf((await get(`/admin/products/${row?.id}`)).html, "requires_shipping");
      expect(options.find(([, , chosen]) => chosen)?.[0]).toBe(requires_shipping);
    },
  );
});

it("a product that becomes digital no longer requires shipping, unless that was set", async () => {
  const { post } = await anAdmin();
  const product = await aProduct();
  await post(`/admin/products/${product.id}`, { ...aForm("digital"), requires_shipping: "" });
  expect((await db.select().from(products).where(eq(products.id, product.id)).get())?.requiresShipping).toBe(false);
});

it.each(["digital", "service"])(
  "a %s product created with the API's defaults is ordered without an address",
  async (type) => {
    const { token } = await anAdmin();
    const { sku, ...sent } = aForm(type);
    const { body } = await call("POST /admin/products", { as: token, body: { ...sent, sku, price: 10 } });
    expect(body.data.requires_shipping).toBe(false);
    const buyer = await aUser({ wallet: 10_000 });
    const cart = await call("POST /cart", { as: buyer.token, body: { product_id: body.data.id } });
    expect(cart.body.data.items[0].requires_shipping).toBe(false);
    const order = { ...orderOf({ ...(await aProduct()), id: body.data.id, price: 1000 }), shipping_address: undefined };
    expect((await call("POST /orders", { as: buyer.token, body: order })).status).toBe(201);
  },
);

describe("stock that is entered without ticking the box to manage it", () => {
  it("is managed from the beginning", async () => {
    const { post } = await anAdmin();
    const form = { ...aForm("physical"), stock_quantity: "7" };
    expect((await post("/admin/products", form)).status).toBe(303);
    expect(await bySku(form.sku)).toMatchObject({ manageStock: true, stockQuantity: 7 });
  });

  it("is managed from now on", async () => {
    const { post } = await anAdmin();
    const { id, updatedAt } = await aProduct({ stock: null });
    const seen = JSON.stringify({ stock_quantity: [], manage_stock: [] });
    const sent = { seen, if_match: etagOf(updatedAt), stock_quantity: "1,200" };
    expect((await post(`/admin/products/${id}`, sent)).status).toBe(303);
    const row = await db.select().from(products).where(eq(products.id, id)).get();
    expect(row).toMatchObject({ manageStock: true, stockQuantity: 1200 });
  });
});

describe("the unit price", () => {
  const typed = {
    "unit_pricing.measure.value": "0,75",
    "unit_pricing.measure.unit": "l",
    "unit_pricing.reference.value": "100",
    "unit_pricing.reference.unit": "ml",
  };
  const stored = { measure: 750, unit: "l", reference: 100, referenceUnit: "ml" } as const;

  it("is read from its content and reference, and ends when the content is emptied", async () => {
    const { get, post } = await anAdmin();
    const form = { ...aForm("physical"), ...typed };
    expect((await post("/admin/products", form)).status).toBe(303);
    const { id, updatedAt, unitPricing } = (await bySku(form.sku)) ?? (await aProduct());
    expect(unitPricing).toEqual(stored);
    expect(fieldsOf(await get(`/admin/products/${id}`), `/admin/products/${id}`)).toMatchObject({
      "unit_pricing.measure.value": ["0.75"],
      "unit_pricing.reference.unit": ["ml"],
    });
    const seen = JSON.stringify(Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, [value]])));
    const emptied = { ...typed, seen, if_match: etagOf(updatedAt), "unit_pricing.measure.value": " " };
    expect((await post(`/admin/products/${id}`, emptied)).status).toBe(303);
    expect((await bySku(form.sku))?.unitPricing).toBeNull();
  });

  it("is refused with an error beside each wrong field, in its unfolded card", async () => {
    const { post } = await anAdmin();
    const sent = {
      ...aForm("physical"),
      ...typed,
      "unit_pricing.measure.value": "1,250",
      "unit_pricing.reference.unit": "",
    };
    const { status, html } = await post("/admin/products", sent);
    expect(status).toBe(400);
    expect([...html.matchAll(/<li><a[^>]*>([^<]+)<\/a>: ([^<]+)/g)].map(([, ...told]) => told)).toEqual([
      ["Unit price, Content", "must be a number such as 0.75 or 1250"],
      ["Unit price, Unit of price", "must be one of the choices"],
    ]);
    expect(html).toMatch(/<details class="card more" open=""><summary><h2>Unit price/);
  });

  it("of a variant follows its product until it has its own", async () => {
    const { get, post } = await anAdmin();
    const parent = await aParent({ unitPricing: stored });
    const inherits = ["name", "unit_pricing"] as const;
    const { id, updatedAt } = await aVariant(parent, { unitPricing: stored, inherits: [...inherits] });
    const page = await get(`/admin/products/${id}`);
    expect(page.html).toContain("0.75 l / 100 ml");
    const sent = { ...fieldsOf(page, `/admin/products/${id}/variant`), if_match: etagOf(updatedAt) };
    const own = { ...sent, inherits: ["name"], "unit_pricing.measure.value": "1" };
    expect((await post(`/admin/products/${id}/variant`, own)).status).toBe(303);
    const row = await db.select().from(products).where(eq(products.id, id)).get();
    expect(row).toMatchObject({ inherits: ["name"], unitPricing: { ...stored, measure: 1_000 } });
    expect((await get(`/admin/products/${parent.id}`)).html).toContain("$1.00 / 100 ml");
  });
});

describe("folded settings of a product", () => {
  const folded = async (id: number) => {
    const { html } = await (await anAdmin()).get(`/admin/products/${id}`);
    return Object.fromEntries(
      [...html.matchAll(/<details class="card more"([^>]*)><summary><h2>([^<]+)/g)].map(([, open = "", title]) => [
        title,
        !open.includes("open"),
      ]),
    );
  };

  it("are open if they differ from the defaults", async () => {
    expect(await folded((await aProduct()).id)).toEqual({
      Options: true,
      "Unit price": true,
      Downloads: true,
      "License keys and renewal": true,
      "Search engines": true,
      "More settings": true,
    });
    const taxed = await aProduct();
    await db.update(products).set({ taxClass: "reduced" }).where(eq(products.id, taxed.id));
    expect(await folded(taxed.id)).toMatchObject({ Downloads: true, "More settings": false });
    const used = await aProduct({ condition: "used" });
    expect(await folded(used.id)).toMatchObject({ "More settings": false });
    const { id } = await aProduct({ type: "digital" });
    expect(await folded(id)).toMatchObject({ Downloads: false, "More settings": true });
  });

  it("are open if one is refused", async () => {
    const { post } = await anAdmin();
    const { html } = await post("/admin/products", { ...aForm("physical"), slug: "Not A Slug" });
    expect(html).toMatch(/<details class="card more" open=""><summary><h2>More settings/);
  });
});

it("links to a product's page in the shop only while it is on sale there", async () => {
  const { get } = await anAdmin();
  const { id } = await aProduct();
  const page = (SHOP_URL: string) => get(`/admin/products/${id}`, { SHOP_URL });
  expect((await page("https://shop.example/")).html).toContain(`href="https://shop.example/products/${id}"`);
  expect((await page("")).html).not.toContain("View in shop");
  await db.update(products).set({ status: "draft" }).where(eq(products.id, id));
  expect((await page("https://shop.example")).html).not.toContain("View in shop");
});

it("reports all errors of a product at once", async () => {
  const { post } = await anAdmin();
  const sent = {
    ...aForm("physical"),
    name: "n".repeat(201),
    price: "€ 5",
    compare_at_price: "1,299",
    weight_grams: "a",
  };
  const { html } = await post("/admin/products", sent);
  expect([...html.matchAll(/<li><a[^>]*>([^<]+)<\/a>: ([^<]+)/g)].map(([, ...told]) => told)).toEqual([
    ["Price", "must be an amount in USD, not in €"],
    ["Compare-at price", "can mean 1299.00 or 1.299. Enter it without a thousands separator"],
    ["Name", "must have at most 200 characters"],
    ["Weight", "must be a number"],
  ]);
});
