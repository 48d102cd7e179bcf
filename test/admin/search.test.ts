import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { apiKeys } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

type Group = { kind: string; results: { id: number; label: string; detail: string | null; exact: boolean }[] };

const admin = await aUser({ role: "admin", name: "Quillfeather Staff" });
const buyer = await aUser({ wallet: 100_000, name: "Ada Quillfeather" });
const product = await aProduct({ name: "Quillfeather Lamp", sku: "QUILL-7" });
const other = await aProduct({ name: "A lamp by Quillfeather", sku: "QUILL-77" });
const file = await aFile({ name: "Manual of the quillfeather" });
const key = await aKey({ name: "Quillfeather's warehouse" });
const order = (await call("POST /orders", { as: buyer.token, body: orderOf(product) })).body.data;

async function find(q: string, as = admin.token): Promise<Group[]> {
  const { status, body } = await call(`GET /admin/search?${new URLSearchParams({ q })}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const idsOf = (groups: Group[]) => groups.map(({ kind, results }) => [kind, results.map(({ id }) => id)]);

describe("the search", () => {
  it("finds a customer, their orders and everything else with a name, with prefix matches first", async () => {
    expect(idsOf(await find("quillfeather"))).toEqual([
      ["order", [order.id]],
      ["user", [admin.id, buyer.id]],
      ["product", [product.id, other.id]],
      ["file", [file.id]],
      ["api_key", [key.id]],
    ]);
  });

  it("describes each result", async () => {
    const groups = await find("ada quill");
    expect(groups.map(({ results }) => results[0])).toEqual([
      { id: order.id, label: order.number, detail: "Ada Quillfeather, processing", image: null, exact: false },
      { id: buyer.id, label: "Ada Quillfeather", detail: buyer.email, image: null, exact: false },
    ]);
  });

  it.each(["ab 123 456 789", "+49 170 1234567", "a b c d e f g h i j k l m", "#123", "x".repeat(250)])(
    "searches all kinds for %s within the variables that a query may have",
    async (q) => expect(await find(q)).toEqual([]),
  );

  it("puts exact matches first: a SKU before longer ones", async () => {
    expect(await find("quill-7")).toMatchObject([
      { kind: "product", results: [{ id: product.id, exact: true }] },
      { kind: "order", results: [{ id: order.id, exact: false }] },
    ]);
    const [group] = await find("QUILL-7");
    expect(group?.kind).toBe("product");
    expect(group?.results.map(({ id, exact }) => [id, exact])).toEqual([
      [product.id, true],
      [other.id, false],
    ]);
  });

  it("finds an order by its number, with and without #, by its reference, and by the reference's beginning", async () => {
    const { number, reference } = order;
    for (const typed of [number, number.slice(1), reference, reference.replaceAll("-", "").toLowerCase()]) {
      const [first] = await find(typed);
      expect(first).toMatchObject({ kind: "order", results: [{ id: order.id, exact: true }] });
    }
    expect(await find(reference.slice(0, 9))).toMatchObject([{ kind: "order", results: [{ exact: false }] }]);
  });

  it("finds an account by its e-mail address, and everything except orders by id", async () => {
    const [first] = await find(buyer.email.toUpperCase());
    expect(first).toMatchObject({ kind: "user", results: [{ id: buyer.id, exact: true }] });
    const products = (await find(`#${product.id}`)).find(({ kind }) => kind === "product");
    expect(products?.results[0]).toMatchObject({ id: product.id, exact: true });
  });

  it("finds a key by its first characters, and shows no more of it", async () => {
    const { start } = (await db.select().from(apiKeys).where(eq(apiKeys.id, key.id)).get()) ?? {};
    for (const typed of [key.key, String(start)]) {
      expect(await find(typed)).toMatchObject([{ kind: "api_key", results: [{ id: key.id, exact: true }] }]);
    }
    const [found] = await find(String(start).slice(0, 7));
    expect(found?.results[0]).toMatchObject({ detail: `${start}…`, exact: false });
  });

  it("finds the five newest of each kind", async () => {
    const made: number[] = [];
    for (let n = 0; n < 7; n++) made.push((await aProduct({ name: `Some wobbleboard ${n}` })).id);
    expect(idsOf(await find("wobbleboard"))).toEqual([["product", made.slice(2).reverse()]]);
  });

  it("finds nothing for an empty search, and treats input as text", async () => {
    expect((await call("GET /admin/search", { as: admin.token })).body.data).toEqual([]);
    for (const typed of ["%", "' OR 1=1 --", '"* NOT', "nothing-is-called-so"]) expect(await find(typed)).toEqual([]);
  });

  it.each([
    ["q", "q="],
    ["q", `q=${"x".repeat(255)}`],
    ["p", "p=1"],
  ])("refuses a wrong %s", async (field, query) => {
    expectRefusal(await call(`GET /admin/search?${query}`, { as: admin.token }), 400, field);
  });

  it("shows only kinds that the caller may list", async () => {
    const kindsOf = async (as: string) => (await find("quillfeather", as)).map(({ kind }) => kind);
    expect(await kindsOf((await aUser({ role: "catalogue" })).token)).toEqual(["product", "file"]);
    expect(await kindsOf((await aKey({ permissions: ["products:read_all", "orders:read"] })).key)).toEqual([
      "order",
      "product",
    ]);
    const seen = await find("quillfeather", (await aUser({ role: "support" })).token);
    expect(idsOf(seen).find(([kind]) => kind === "user")).toEqual(["user", [buyer.id]]);
  });

  it("hides the orders of staff from other staff", async () => {
    const staff = await aUser({ wallet: 100_000, name: "Xanthippe Quinn", role: "viewer" });
    const own = (await call("POST /orders", { as: staff.token, body: orderOf(product) })).body.data;
    expect(idsOf(await find("xanthippe"))).toEqual([
      ["order", [own.id]],
      ["user", [staff.id]],
    ]);
    expect(await find("xanthippe", (await aUser({ role: "support" })).token)).toEqual([]);
  });

  it("takes one round trip", async () => {
    const { bindings, trips } = counted();
    await callWith(bindings, "GET /admin/search?q=quillfeather", { as: admin.token });
    expect(trips.d1).toBe(1);
  });
});

describe("the page of the search", () => {
  it("lists links, including links to the lists with all results", async () => {
    const { get } = await anAdministrator();
    const { html } = await get("/admin/search?q=quillfeather");
    expect(html).toContain('role="status">8 results<');
    expect(html).toContain(`href="/admin/customers/${buyer.id}"`);
    expect(html).toContain('href="/admin/orders?search=quillfeather"');
    expect((await get("/admin/orders?search=quillfeather")).html).toContain(order.number);
  });

  it("is reachable from every page, and runs no search while nothing is typed", async () => {
    const { get } = await anAdministrator();
    expect((await get("/admin")).html).toContain('<form action="/admin/search">');
    const { status, html } = await get("/admin/search?q=");
    expect([status, html.includes('class="found"')]).toEqual([200, false]);
  });
});

/** A text as written, and as people type it. */
const spellings: [written: string, typed: string][] = [
  ["Łódźwerk", "lodzwerk"],
  ["Lodzbau", "Łódźbau"],
  ["Straßenfest", "STRASSENF"],
  ["Grosswies", "großwies"],
  ["ＡＢＣＤ", "abcd"],
  ["Ringﬁnger", "ringfinger"],
  ["ｶﾞﾗｽ", "ガラス"],
  ["Đà Nẵng", "da nang"],
  ["Матрёшка", "матрешка"],
  ["Черепашка", "ЧЕРЁПАШКА"],
  ["Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ"],
  ["Sørensen", "sorensen"],
  ["Ærøskøbing", "aeroskobing"],
  ["Œuvrier", "oeuvrier"],
  ["Þórður", "thordur"],
  ["Işıklar", "ISIKLAR"],
  ["Isparta", "ısparta"],
  ["كِتَاب", "كتاب"],
  ["Nº5½", "no5 1/2"],
];

const { key: reader } = await aKey({ tier: "premium" });

type Named = { id: number };

async function idsAt(path: string, search: string, as: string): Promise<number[]> {
  const { status, body } = await call(`GET ${path}${encodeURIComponent(search)}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }: Named) => id);
}

describe.each(spellings)("%s, typed as %s", (written, typed) => {
  let [product, user, file, order, guestOrder, apiKey, discount] = [0, 0, 0, 0, 0, 0, 0];
  let staff = "";

  beforeAll(async () => {
    staff = (await aUser({ role: "admin" })).token;
    const sold = await aProduct({ name: `Lamp ${written}`, description: `By ${written}, of old` });
    const buyer = await aUser({ name: written, wallet: 10_000 });
    product = sold.id;
    user = buyer.id;
    file = (await aFile({ name: written })).id;
    apiKey = (await aKey({ name: written })).id;
    const reduced = { name: written, kind: "percentage", percent: 5, code: `CODE-${apiKey}` };
    discount = (await call("POST /admin/discounts", { as: staff, body: reduced })).body.data.id;
    order = (await call("POST /orders", { as: buyer.token, body: orderOf(sold) })).body.data.id;
    const guest = { email: `guest-${product}@shop.test`, name: `Guest ${written}` };
    const placed = orderOf(sold, 1, { shipping_address: ADDRESS, payment_method: "credit_card", customer: guest });
    guestOrder = (await call("POST /orders", { as: reader, body: placed })).body.data.id;
  });

  it("is found among products for shoppers", async () => {
    expect(await idsAt("/products?search=", typed, reader)).toEqual([product]);
  });

  it("is found among the products, files and users of the admin API", async () => {
    expect(await idsAt("/admin/products?search=", typed, staff)).toEqual([product]);
    expect(await idsAt("/admin/files?search=", typed, staff)).toEqual([file]);
    expect(await idsAt("/admin/users?search=", typed, staff)).toEqual([user]);
  });

  it("is found among orders, of accounts and of guests", async () => {
    expect(await idsAt("/admin/orders?search=", typed, staff)).toEqual([guestOrder, order]);
  });

  it("is found among API keys and discounts", async () => {
    expect(await idsAt("/admin/api-keys?search=", typed, staff)).toEqual([apiKey]);
    expect(await idsAt("/admin/discounts?search=", typed, staff)).toEqual([discount]);
  });

  it("is found by the search across all of these", async () => {
    const { body } = await call(`GET /admin/search?q=${encodeURIComponent(typed)}`, { as: staff });
    const groups = body.data.map(({ kind, results }: { kind: string; results: Named[] }) => [
      kind,
      results.map(({ id }) => id).sort(),
    ]);
    expect(groups).toEqual([
      ["order", [order, guestOrder].sort()],
      ["user", [user]],
      ["product", [product]],
      ["file", [file]],
      ["api_key", [apiKey]],
    ]);
  });
});
