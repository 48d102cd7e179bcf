import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, events, products } from "../../src/platform/db/schema.ts";
import { administration } from "../support/administration.ts";
import { type Answer, call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { wronglyFolded } from "../support/folded-words.ts";
import { expectRefusal } from "../support/refusal.ts";
import { brokenRules } from "../support/rules.ts";
import { aCategory, aFile, aUser, db, orderOf } from "../support/shop.ts";
import { listingRules } from "./listing/rules.ts";

const { admin, ask } = administration();
let made = 0;

async function refused(answer: ReturnType<typeof ask>, field: string, code: string) {
  const { status, body } = await answer;
  expectRefusal({ status, body } as Answer, 400, field);
  expect(body.details[0].code).toBe(code);
}

const size = (value: string) => [{ name: "Size", value }];

/** A shirt in S, M and L with a unique word in its name, and the named variants. */
async function aShirt(variants: Record<string, object> = {}, fields: object = {}) {
  const word = `shirt${++made}`;
  const { body, status } = await ask("POST /admin/products", {
    name: `Shirt ${word}`,
    sku: word.toUpperCase(),
    type: "physical",
    status: "active",
    price: 20,
    options: [{ name: "Size", values: ["S", "M", "L"] }],
    ...fields,
  });
  expect(status).toBe(201);
  const path = `/admin/products/${body.data.id}`;
  const ids: Record<string, number> = {};
  for (const [value, more] of Object.entries(variants)) {
    const sent = { option_values: size(value), sku: `${word}-${value}`, price: 20, stock_quantity: 5, ...more };
    const answer = await ask(`POST ${path}/variants`, sent);
    expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
    ids[value] = answer.body.data.id;
  }
  return { id: body.data.id as number, path, word, ids };
}

const read = async (id: number) => (await ask(`GET /admin/products/${id}`)).body.data;

describe("a product with options", () => {
  it("shows its variants in the order of its values, its lowest price and whether any can be bought", async () => {
    const { id } = await aShirt({ L: { price: 25 }, S: { price: 18, stock_quantity: 0 } });
    const { body } = await ask(`GET /products/${id}`);
    expect(body.data).toMatchObject({
      parent_id: null,
      options: [{ name: "Size", values: ["S", "M", "L"] }],
      option_values: [],
      price: 18,
      price_range: { min: 18, max: 25 },
      in_stock: true,
      variants: [
        { option_values: size("S"), price: 18, in_stock: false, stock_quantity: 0 },
        { option_values: size("L"), price: 25, in_stock: true, stock_quantity: 5 },
      ],
    });
  });

  it("is listed and counted once, and lists its variants by parent_id", async () => {
    const { id, word } = await aShirt({ S: {}, M: {} });
    const found = async (query: string) => {
      const { body } = await ask(`GET /products?${query}`);
      return [body.data.map((product: { id: number }) => product.id), body.pagination.total_items];
    };
    expect(await found(`search=${word}`)).toEqual([[id], 1]);
    expect((await found(`parent_id=${id}&sort=name`))[1]).toBe(2);
    await refused(ask(`GET /products?parent_id=${id}&search=${word}`), "parent_id", "not_applicable");
    const all = (await found("per_page=100"))[0] as number[];
    expect(all).toContain(id);
    const rows = await db.select().from(products).where(eq(products.parentId, id));
    for (const row of rows) expect(all).not.toContain(row.id);
  });

  it("is found by the SKU and the values of its variants, by any price in its range, and by stock", async () => {
    const { id, word, ids } = await aShirt({ S: { price: 10 }, M: { price: 30 } });
    const finds = async (query: string) => {
      const { body } = await ask(`GET /products?per_page=100&${query}`);
      return (body.data as { id: number }[]).some((product) => product.id === id);
    };
    expect(await finds(`search=${word}-M`)).toBe(true);
    expect(await finds(`search=${word}+M`)).toBe(true);
    expect(await finds(`search=${word}+L`)).toBe(false);
    for (const search of ["", `search=${word}&`]) {
      expect(await finds(`${search}min_price=15&max_price=25`)).toBe(true);
      expect(await finds(`${search}min_price=30`)).toBe(true);
      expect(await finds(`${search}max_price=10`)).toBe(true);
      expect(await finds(`${search}min_price=30.01`)).toBe(false);
      expect(await finds(`${search}max_price=9.99`)).toBe(false);
      expect(await finds(`${search}in_stock=true`)).toBe(true);
    }
    for (const variant of Object.values(ids)) {
      await ask(`POST /admin/products/${variant}/stock`, { quantity: 0, reason: "Counted" });
    }
    for (const search of ["", `search=${word}&`]) {
      expect(await finds(`${search}in_stock=true`)).toBe(false);
      expect(await finds(`${search}in_stock=false`)).toBe(true);
    }
  });

  it("is found by the words of a draft variant only by staff", async () => {
    const options = [{ name: "Größe", values: ["Łódź", "Øl", "Plain"] }];
    const { path, word } = await aShirt({}, { options });
    const ids: Record<string, number> = {};
    for (const [value, status] of [
      ["Łódź", "active"],
      ["Øl", "draft"],
    ] as const) {
      const sent = { option_values: [{ name: "Größe", value }], sku: `${word}-${status}ß`, price: 1, status };
      ids[value] = (await ask(`POST ${path}/variants`, sent)).body.data.id;
    }
    const buyer = await aUser();
    const found = async (search: string) => {
      const query = `/products?search=${encodeURIComponent(`${word} ${search}`)}`;
      const [theirs, ours] = [await call(`GET ${query}`, { as: buyer.token }), await ask(`GET /admin${query}`)];
      return [theirs.body.pagination.total_items, ours.body.pagination.total_items];
    };
    expect([await found("lodz"), await found("activess"), await found("Łódź")]).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    for (const words of ["ol", "draftss", "Øl"]) expect([words, ...(await found(words))]).toEqual([words, 0, 1]);
    await ask(`PUT /admin/products/${ids.Øl}`, { status: "active" });
    await ask(`PUT ${path}`, { options: [{ name: "Größe", values: ["Gdańsk", "Øl", "Plain"] }] });
    expect([await found("ol"), await found("gdansk"), await found("lodz")]).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
    expect(await brokenRules(env.DB, listingRules)).toEqual({});
    expect(await wronglyFolded()).toEqual([]);
  });

  it("is listed by its highest price where a rounded bound would leave it out", async () => {
    const { id } = await aShirt({ S: { price: 0.99 }, M: { price: 9000.05 } });
    const { body } = await ask("GET /products?min_price=9000.05&sort=price");
    expect([body.pagination.total_items, body.data.map((product: { id: number }) => product.id)]).toEqual([1, [id]]);
  });

  it("has no stock and no compare-at price of its own, and no price that differs from its variants'", async () => {
    const { path } = await aShirt({ S: {} });
    await refused(ask(`PUT ${path}`, { price: 1 }), "price", "not_applicable");
    await refused(ask(`PUT ${path}`, { manage_stock: true, stock_quantity: 3 }), "stock_quantity", "not_applicable");
    await refused(ask(`PUT ${path}`, { compare_at_price: 99 }), "compare_at_price", "not_applicable");
  });

  it("turns a product with stock into one with variants", async () => {
    const plain = (
      await ask("POST /admin/products", {
        name: "Cap",
        sku: `CAP-${++made}`,
        type: "physical",
        price: 5,
        stock_quantity: 4,
      })
    ).body.data;
    const { body } = await ask(`PUT /admin/products/${plain.id}`, { options: [{ name: "Size", values: ["S"] }] });
    expect(body.data).toMatchObject({ manage_stock: false, stock_quantity: null, in_stock: false, variants: [] });
    const back = await ask(`PUT /admin/products/${plain.id}`, { options: [] });
    expect(back.body.data).toMatchObject({ in_stock: true, options: [] });
  });

  it("is deleted with unsold variants, and refuses if one was sold", async () => {
    const unsold = await aShirt({ S: {} });
    expect((await ask(`DELETE ${unsold.path}`)).status).toBe(204);
    expect((await ask(`GET /admin/products/${unsold.ids.S}`)).status).toBe(404);
    const sold = await aShirt({ S: {} });
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf({ id: sold.ids.S ?? 0, price: 2000 }) });
    expect((await ask(`DELETE ${sold.path}`)).status).toBe(409);
    expect((await read(sold.id)).variants).toHaveLength(1);
  });

  it("renames options and values in all variants, and gives a new option its first value", async () => {
    const { id, path } = await aShirt({ S: {}, M: {} });
    await ask(`PUT ${path}`, {
      options: [
        { name: "Fit", values: ["Small", "M", "L"] },
        { name: "Color", values: ["Blue", "Red"] },
      ],
    });
    expect((await read(id)).variants.map((variant: { option_values: unknown }) => variant.option_values)).toEqual([
      [
        { name: "Fit", value: "Small" },
        { name: "Color", value: "Blue" },
      ],
      [
        { name: "Fit", value: "M" },
        { name: "Color", value: "Blue" },
      ],
    ]);
    await refused(
      ask(`PUT ${path}`, { options: [{ name: "Fit", values: ["Small", "L"] }] }),
      "options.0.values",
      "in_use",
    );
    await refused(ask(`PUT ${path}`, { options: [{ name: "Color", values: ["Blue"] }] }), "options", "in_use");
    await refused(ask(`PUT ${path}`, { options: [] }), "options", "in_use");
    const two = await db.select().from(auditLog).where(eq(auditLog.subjectId, id));
    expect(two.map(({ action }) => action)).toEqual([
      "product.create",
      "product.add_variants",
      "product.add_variants",
      "product.update",
    ]);
  });
});

describe("a variant", () => {
  it("inherits missing values from its product, now and later", async () => {
    const [category, file, own] = [
      await aCategory("Tops"),
      await aFile({ access: "package" }),
      await aFile({ access: "package" }),
    ];
    const { id, path, ids } = await aShirt(
      { S: {}, M: { description: "Cut for M", file_ids: [own.id] } },
      { description: "Cotton", weight_grams: 200, file_ids: [file.id], category_id: category.id },
    );
    expect(await read(ids.S ?? 0)).toMatchObject({
      parent_id: id,
      description: "Cotton",
      weight_grams: 200,
      files: [{ id: file.id }],
      category: { id: category.id },
    });
    expect(await read(ids.M ?? 0)).toMatchObject({ description: "Cut for M", files: [{ id: own.id }] });
    await ask(`PUT ${path}`, {
      description: "Linen",
      name: "Blouse",
      weight_grams: null,
      file_ids: [],
      category_id: null,
    });
    expect(await read(ids.S ?? 0)).toMatchObject({
      description: "Linen",
      name: "Blouse",
      weight_grams: null,
      files: [],
      category: null,
    });
    expect(await read(ids.M ?? 0)).toMatchObject({ description: "Cut for M", name: "Blouse", files: [{ id: own.id }] });
    const { inherits } = await read(ids.M ?? 0);
    await ask(`PUT /admin/products/${ids.M}`, { inherits: [...inherits, "description", "file_ids"] });
    expect(await read(ids.M ?? 0)).toMatchObject({ description: "Linen", files: [] });
    await ask(`PUT /admin/products/${ids.M}`, { name: "Blouse", weight_grams: 90 });
    const now = await read(ids.M ?? 0);
    expect([now.weight_grams, now.inherits.includes("name"), now.inherits.includes("weight_grams")]).toEqual([
      90,
      true,
      false,
    ]);
  });

  it("has the condition and right of withdrawal of its product, or its own condition", async () => {
    const { id, path, ids } = await aShirt({ S: {}, M: { condition: "used" } });
    const conditions = async () => {
      const { variants } = await read(id);
      return [ids.S, ids.M].map((one) => variants.find((row: { id: number }) => row.id === one).condition);
    };
    expect([(await read(id)).condition, ...(await conditions())]).toEqual(["new", "new", "used"]);
    const exempt = { withdrawal: "perishable" };
    await ask(`PUT ${path}`, exempt);
    expect(await read(ids.S ?? 0)).toMatchObject({ ...exempt, inherits: expect.arrayContaining(["withdrawal"]) });
    await ask(`PUT ${path}`, { condition: "refurbished" });
    expect(await conditions()).toEqual(["refurbished", "used"]);
    expect((await ask(`PUT ${path}`, { condition: "damaged" })).body.errors).toHaveProperty("condition");
  });

  it("has a new version once an inherited value changes, without an event of its own", async () => {
    const [file, other] = [await aFile({ access: "package" }), await aFile({ access: "package" })];
    const { id, path, ids } = await aShirt({ S: {}, M: { name: "Cut for M", file_ids: [other.id] } });
    const etagOf = async (value: string) => (await ask(`GET /admin/products/${ids[value]}`)).headers.get("ETag") ?? "";
    const save = async (value: string, etag: string) => {
      const headers = { "If-Match": etag };
      return (await call(`PUT /admin/products/${ids[value]}`, { as: admin.token, headers, body: { price: 30 } }))
        .status;
    };
    for (const body of [{ name: "Blouse" }, { file_ids: [file.id] }]) {
      const [small, medium] = [await etagOf("S"), await etagOf("M")];
      const published = await db.$count(events);
      const audited = await db.$count(auditLog);
      await ask(`PUT ${path}`, body);
      expect([await db.$count(events), await db.$count(auditLog)]).toEqual([published + 1, audited + 1]);
      expect(await save("S", small)).toBe(412);
      expect(await save("M", medium)).toBe(200);
    }
    const etag = await etagOf("S");
    await ask(`PUT ${path}`, { name: "Blouse", file_ids: [file.id], metadata: { a: "b" } });
    expect(await save("S", etag)).toBe(200);
    const published = await db
      .select()
      .from(events)
      .where(eq(events.subject, `product:${id}`));
    expect(published.at(-1)?.data).toMatchObject({ variant_id: ids.S });
  });

  it("inherits its product's files until it has its own", async () => {
    const [file, other, own] = [await aFile(), await aFile(), await aFile()];
    const { id, path, ids } = await aShirt({ S: {}, M: {}, L: {} }, { file_ids: [file.id] });
    const filesOf = async (value: string) => {
      const { files, inherits } = await read(ids[value] ?? 0);
      return [files.map((one: { id: number }) => one.id), inherits.includes("file_ids")];
    };
    // M is sent back as it was read, with another change.
    await ask(`PUT /admin/products/${ids.S}`, { price: 21, file_ids: [file.id] });
    // M keeps its file as its own.
    const { inherits } = await read(ids.M ?? 0);
    await ask(`PUT /admin/products/${ids.M}`, { inherits: inherits.filter((name: string) => name !== "file_ids") });
    // The file itself names M and L, and another file names L.
    await ask(`PUT /admin/files/${file.id}`, { product_ids: [id, ids.M, ids.L] });
    await ask(`PUT /admin/files/${own.id}`, { product_ids: [ids.L] });
    await ask(`PUT ${path}`, { file_ids: [other.id, own.id] });
    expect([await filesOf("S"), await filesOf("M"), await filesOf("L")]).toEqual([
      [[other.id, own.id], true],
      [[file.id], false],
      [[file.id, own.id], false],
    ]);
    const again = await ask(`PUT /admin/products/${ids.L}`, { inherits });
    expect(again.status).toBe(200);
    expect(await filesOf("L")).toEqual([[other.id, own.id], true]);
    expect(await brokenRules(env.DB, listingRules)).toEqual({});
  });

  it("is for sale while it and its product are active", async () => {
    const { id, path, ids } = await aShirt({ S: {}, M: { status: "draft" } });
    const buyer = await aUser();
    const seen = async (value: string) => (await call(`GET /products/${ids[value]}`, { as: buyer.token })).status;
    expect([await seen("S"), await seen("M")]).toEqual([200, 404]);
    await ask(`PUT ${path}`, { status: "draft" });
    await ask(`PUT /admin/products/${ids.M}`, { status: "active" });
    expect([await seen("S"), await seen("M")]).toEqual([404, 404]);
    expect(await read(ids.M ?? 0)).toMatchObject({ status: "active" });
    const listed = async (route: string, status: string) => {
      const { body } = await ask(`GET ${route}?parent_id=${id}&status=${status}`);
      return [body.pagination.total_items, body.data.map((variant: { status: string }) => variant.status)];
    };
    // The admin API shows and filters the status set on each product. The catalogue uses the resulting status.
    expect(await listed("/admin/products", "active")).toEqual([2, ["active", "active"]]);
    expect(await listed("/admin/products", "draft")).toEqual([0, []]);
    expect(await listed("/products", "draft")).toEqual([2, ["draft", "draft"]]);
    await ask(`PUT ${path}`, { status: "active" });
    expect([await seen("S"), await seen("M")]).toEqual([200, 200]);
  });

  it("refuses managed stock without a number, and a number without managed stock", async () => {
    const { path, word } = await aShirt();
    for (const sent of [
      { option_values: size("S"), sku: `${word}-S`, price: 1 },
      { generate: true, price: 1 },
    ]) {
      await refused(ask(`POST ${path}/variants`, { ...sent, manage_stock: true }), "stock_quantity", "required");
      const unmanaged = { ...sent, manage_stock: false, stock_quantity: 5 };
      await refused(ask(`POST ${path}/variants`, unmanaged), "stock_quantity", "not_applicable");
    }
  });

  it("refuses a wrong field by its name, alone and generated", async () => {
    const { path, word } = await aShirt();
    const one = { option_values: size("S"), sku: `${word}-S`, price: 1 };
    for (const [body, field, code] of [
      [{ ...one, price: -1 }, "price", "too_small"],
      [{ generate: true, price: -1 }, "price", "too_small"],
      [{ ...one, generate: true }, "option_values", "unknown_field"],
      [{ ...one, generate: "yes" }, "generate", "invalid"],
      [{ ...one, sku: undefined }, "sku", "required"],
    ] as const)
      await refused(ask(`POST ${path}/variants`, body), field, code);
  });

  it("refuses values that its product lacks or that another variant has", async () => {
    const { path, ids, word } = await aShirt({ S: {}, M: {} });
    const [add, change] = [`POST ${path}/variants`, `PUT /admin/products/${ids.S}`];
    const valued = (option_values: object) => ({ option_values, sku: `${word}-X`, price: 1 });
    for (const [line, body, field, code] of [
      [add, valued(size("XL")), "option_values.0.value", "unknown_reference"],
      [add, valued([{ name: "Color", value: "S" }]), "option_values.0.name", "unknown_reference"],
      [add, valued(size("S")), "option_values", "option_values_taken"],
      [change, { option_values: size("M") }, "option_values", "option_values_taken"],
      [change, { option_values: size("XL") }, "option_values", "unknown_reference"],
      [change, { category_id: (await aCategory("Other")).id }, "category_id", "not_applicable"],
      [change, { options: [{ name: "A", values: ["b"] }] }, "options", "not_applicable"],
      [`POST /admin/products/${ids.S}/variants`, valued(size("S")), "option_values", "not_applicable"],
    ] as const)
      await refused(ask(line, body), field, code);
    expect((await ask(change, { option_values: size("L") })).status).toBe(200);
  });

  it("publishes its changes as changes of its product", async () => {
    const { id, ids } = await aShirt({ S: {} });
    await ask(`PUT /admin/products/${ids.S}`, { price: 21 });
    await ask(`DELETE /admin/products/${ids.S}`);
    const published = await db
      .select()
      .from(events)
      .where(eq(events.subject, `product:${id}`))
      .orderBy(events.id);
    expect(Reflect.get(published[2]?.data as object, "price")).toBe(2100);
    expect(published.map(({ type, data }) => [type, Reflect.get(data as object, "variant_id")])).toEqual([
      ["product.created", undefined],
      ["product.updated", ids.S],
      ["product.updated", ids.S],
      ["product.updated", ids.S],
    ]);
  });
});

describe("generating variants", () => {
  it("creates every missing combination, once", async () => {
    const { id, path, word } = await aShirt(
      {},
      {
        options: [
          { name: "Size", values: ["S", "M"] },
          { name: "Color", values: ["Blue", "Light red"] },
        ],
      },
    );
    await ask(`POST ${path}/variants`, {
      option_values: [
        { name: "Color", value: "Blue" },
        { name: "Size", value: "M" },
      ],
      sku: `${word}-own`,
      price: 9,
    });
    const { status, body } = await ask(`POST ${path}/variants`, {
      generate: true,
      price: 20,
      sku_pattern: `${word}-{Color}-{Size}`,
      stock_quantity: 3,
    });
    expect([status, body.data.id]).toEqual([201, id]);
    expect(body.data.variants.map(({ sku, price }: { sku: string; price: number }) => [sku, price])).toEqual([
      [`${word}-Blue-S`, 20],
      [`${word}-Light-red-S`, 20],
      [`${word}-own`, 9],
      [`${word}-Light-red-M`, 20],
    ]);
    expect(body.data.price_range).toEqual({ min: 9, max: 20 });
    await refused(ask(`POST ${path}/variants`, { generate: true, price: 20 }), "generate", "nothing_to_change");
  });

  it("gives each variant its own slug, even if values differ only in punctuation", async () => {
    const { path, word } = await aShirt({}, { options: [{ name: "Size", values: ["★", "☆", "2", "3"] }] });
    const { status, body } = await ask(`POST ${path}/variants`, {
      generate: true,
      price: 1,
      sku_pattern: `${word}{Size}`,
    });
    expect([status, body.details]).toEqual([201, undefined]);
    const slugs = body.data.variants.map(async ({ id }: { id: number }) => (await read(id)).slug);
    expect(new Set(await Promise.all(slugs)).size).toBe(4);
  });

  it("creates 1,000 in few statements at a linear cost, and refuses one more", async () => {
    const sizes = Array.from({ length: 10 }, (_, n) => `size${n}`);
    const hues = Array.from({ length: 100 }, (_, n) => `hue${n}`);
    const options = (more: string[] = []) => [
      { name: "Size", values: sizes },
      { name: "Hue", values: [...hues, ...more] },
    ];
    const { id, path, word } = await aShirt({}, { options: options() });
    const { bindings, work } = counted();
    const sent = { generate: true, price: 20, stock_quantity: 3, sku_pattern: `${word}-{Size}-{Hue}` };
    const { status, body } = await callWith(bindings, `POST ${path}/variants`, { as: admin.token, body: sent });
    expect([status, body.data.variants.length]).toEqual([201, 1_000]);
    expect(work.statements).toBeLessThan(20);
    expect(work.rowsRead).toBeLessThan(160 * 1_000);
    expect(work.rowsWritten).toBeLessThan(10 * 1_000);
    expect(await brokenRules(env.DB, listingRules)).toEqual({});
    const published = await db
      .select()
      .from(events)
      .where(eq(events.subject, `product:${id}`));
    expect(published.map(({ type, data }) => [type, Reflect.get(data as object, "variant_id")])).toEqual([
      ["product.created", undefined],
      ["product.updated", undefined],
    ]);
    const bought = await ask("POST /cart", { product_id: id, quantity: 1 });
    expect(bought.body.details[0].variants).toHaveLength(100);
    expect(bought.body.details[0].variants_total).toBe(1_000);
    expect(JSON.stringify(bought.body.errors)).toContain(`GET /products/${id} has all 1000`);
    await ask(`PUT ${path}`, { options: options(["other"]) });
    const option_values = [
      { name: "Size", value: "size0" },
      { name: "Hue", value: "other" },
    ];
    await refused(
      ask(`POST ${path}/variants`, { option_values, sku: word, price: 1 }),
      "option_values",
      "too_many_variants",
    );
  });

  it("names an option by its position in SKUs if its name has no usable characters", async () => {
    const options = [
      { name: "sku", values: ["a", "b"] },
      { name: "Fit {x}", values: ["slim"] },
      { name: "Größe", values: ["L"] },
    ];
    const { path, word } = await aShirt({}, { options });
    const skus = async (sent: object) => {
      const { body } = await ask(`POST ${path}/variants`, { generate: true, price: 1, ...sent });
      return body.data.variants.map(({ sku }: { sku: string }) => sku);
    };
    expect(await skus({})).toEqual([`${word.toUpperCase()}-a-slim-L`, `${word.toUpperCase()}-b-slim-L`]);
    await ask(`PUT ${path}`, { options: [{ name: "sku", values: ["a", "b", "c"] }, ...options.slice(1)] });
    expect(await skus({ sku_pattern: `${word}-{1}-${"{Größe}".normalize("NFD")}` })).toContain(`${word}-c-L`);
  });

  it("treats an accented letter as one, however it was typed", async () => {
    const [one, two] = ["Café".normalize("NFC"), "Café".normalize("NFD")];
    const { path, word } = await aShirt({}, { options: [{ name: two, values: [one] }] });
    const sent = { option_values: [{ name: two, value: two }], sku: word, price: 1 };
    expect((await ask(`POST ${path}/variants`, sent)).body.data.option_values).toEqual([{ name: one, value: one }]);
    await refused(
      ask(`PUT ${path}`, { options: [{ name: "Size", values: [one, two] }] }),
      "options.0.values",
      "invalid",
    );
    expect((await ask(`PUT ${path}`, { options: [{ name: one, values: [two] }] })).body.data.options[0].name).toBe(one);
  });

  it("refuses more than 1,000 combinations", async () => {
    const { path } = await aShirt({ S: {} });
    const values = Array.from({ length: 250 }, (_, n) => `v${n}`);
    await ask(`PUT ${path}`, {
      options: [
        { name: "Size", values: ["S", ...values.slice(1)] },
        { name: "A", values },
        { name: "B", values },
      ],
    });
    await refused(ask(`POST ${path}/variants`, { generate: true, price: 20 }), "generate", "too_many_variants");
  });
});

describe("buying", () => {
  it("refuses the product and names its variants, in an order, a quote and a cart", async () => {
    const { id, ids } = await aShirt({ S: { price: 20 }, M: { price: 22, stock_quantity: 0 }, L: { status: "draft" } });
    const buyer = await aUser({ wallet: 10_000 });
    const offered = {
      field: "items.0.product_id",
      code: "choose_variant",
      variants: [
        expect.objectContaining({ product_id: ids.S, option_values: size("S"), price: 20, in_stock: true }),
        expect.objectContaining({ product_id: ids.M, price: 22, in_stock: false }),
      ],
      variants_total: 2,
    };
    const order = await call("POST /orders", { as: buyer.token, body: orderOf({ id, price: 2000 }) });
    expect([order.status, order.body.details]).toEqual([400, [offered]]);
    const added = await call("POST /cart", { as: buyer.token, body: { product_id: id, quantity: 1 } });
    expect([added.status, added.body.details]).toEqual([400, [{ ...offered, field: "product_id" }]]);
  });

  it("names the packages of a PDF and an EPUB by their values", async () => {
    const [pdf, epub] = [await aFile({ access: "package" }), await aFile({ access: "package" })];
    const { ids } = await aShirt(
      { S: { file_ids: [pdf.id], stock_quantity: undefined }, M: { file_ids: [epub.id], stock_quantity: undefined } },
      { name: "Poems", type: "digital" },
    );
    const buyer = await aUser({ wallet: 10_000 });
    const items = [ids.S, ids.M].map((product_id) => ({ product_id, quantity: 1, price: 20 }));
    await call("POST /orders", { as: buyer.token, body: { ...orderOf({ id: 0, price: 0 }), items } });
    const { body } = await call("GET /account/packages", { as: buyer.token });
    expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(["Poems (M)", "Poems (S)"]);
  });

  it("keeps the values as they were sold", async () => {
    const { path, ids } = await aShirt({ S: {}, M: {} });
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /cart", { as: buyer.token, body: { product_id: ids.S, quantity: 2 } });
    const cart = await call("GET /cart", { as: buyer.token });
    expect(cart.body.data.items[0].option_values).toEqual(size("S"));
    const { body } = await call("POST /orders", { as: buyer.token, body: orderOf({ id: ids.S ?? 0, price: 2000 }, 2) });
    await ask(`PUT ${path}`, { options: [{ name: "Size", values: ["Small", "M", "L"] }] });
    const kept = await call(`GET /account/orders/${body.data.id}`, { as: buyer.token });
    expect(kept.body.data.items[0].option_values).toEqual(size("S"));
    expect((await read(ids.S ?? 0)).stock_quantity).toBe(3);
  });

  it("sells the last 7 of one variant to exactly 7 of 50 buyers while its siblings sell", async () => {
    const { id, ids } = await aShirt({
      S: { stock_quantity: 7 },
      M: { stock_quantity: 100 },
      L: { stock_quantity: 100 },
    });
    const buyers = await Promise.all(Array.from({ length: 50 }, () => aUser({ wallet: 10_000 })));
    const answers = await Promise.all(
      buyers.flatMap((buyer, n) => [
        call("POST /orders", { as: buyer.token, body: orderOf({ id: ids.S ?? 0, price: 2000 }) }),
        call("POST /orders", { as: buyer.token, body: orderOf({ id: (n % 2 ? ids.M : ids.L) ?? 0, price: 2000 }) }),
      ]),
    );
    const sold = answers.map(({ status }) => status === 201);
    expect([
      sold.filter((yes, n) => yes && n % 2 === 0).length,
      sold.filter((yes, n) => yes && n % 2 === 1).length,
    ]).toEqual([7, 50]);
    expect((await read(id)).variants.map((variant: { stock_quantity: number }) => variant.stock_quantity)).toEqual([
      0, 75, 75,
    ]);
    expect((await read(id)).in_stock).toBe(true);
  });

  it("refunds three variants of one product line by line, and restocks each one's own stock", async () => {
    const { id, ids } = await aShirt({ S: { price: 10 }, M: { price: 20 }, L: { price: 30 } });
    const buyer = await aUser({ wallet: 20_000 });
    const items = ["S", "M", "L"].map((value, n) => ({ product_id: ids[value], quantity: n + 1, price: (n + 1) * 10 }));
    const order = (await call("POST /orders", { as: buyer.token, body: { ...orderOf({ id: 0, price: 0 }), items } }))
      .body.data;
    expect([order.total, order.items.map((line: { option_values: unknown }) => line.option_values)]).toEqual([
      140,
      [size("S"), size("M"), size("L")],
    ]);
    const stocks = async () =>
      (await read(id)).variants.map((variant: { stock_quantity: number }) => variant.stock_quantity);
    expect(await stocks()).toEqual([4, 3, 2]);
    const refunded = [];
    for (const [n, line] of order.items.entries()) {
      const answer = await ask(`POST /admin/orders/${order.id}/refunds`, {
        items: [{ id: line.id, quantity: n + 1 }],
        restock: true,
      });
      refunded.push([answer.body.data.refunded_total, answer.body.data.status]);
    }
    expect(refunded).toEqual([
      [10, "processing"],
      [50, "processing"],
      [140, "refunded"],
    ]);
    expect(await stocks()).toEqual([5, 5, 5]);
  });

  it("applies a discount on the product to its variants", async () => {
    const { id, ids } = await aShirt({ S: {}, M: {} });
    const code = `SHIRT${made}`;
    await ask("POST /admin/discounts", { name: "Shirts", code, kind: "percentage", percent: 50, product_ids: [id] });
    const buyer = await aUser({ wallet: 10_000 });
    const { body } = await call("POST /orders", {
      as: buyer.token,
      body: { ...orderOf({ id: ids.M ?? 0, price: 2000 }), discount_codes: [code] },
    });
    expect(body.data).toMatchObject({ discount_total: 10, total: 10 });
  });
});
