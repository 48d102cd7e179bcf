import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { apiKeys } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

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
