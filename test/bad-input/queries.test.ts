import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { anyCharacter } from "../../scripts/fuzz/any-character.ts";
import { call } from "../support/call.ts";
import { anError, expectRefusal, nameOf } from "../support/refusal.ts";
import { aKey, aProduct } from "../support/shop.ts";

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
});

const ids = [
  "abc",
  "0",
  "-1",
  "+1",
  "1.5",
  "1e3",
  "0x10",
  "١",
  "1%00",
  "%20",
  "1%202",
  "%27%20OR%201=1",
  "%zz",
  "null",
];
const beyond = ["9007199254740992", "9007199254740993", "99999999999999999999", "9".repeat(2_000)];

/** Products are also found by their slug, which these could be. */
const slugs = ["abc", "1e3", "0x10", "null", "99999999999999999999"];

describe.each([
  ["GET /products/", "id", undefined],
  ["GET /account/orders/", "orderId", undefined],
  ["PUT /cart/items/", "id", { quantity: 1 }],
  ["DELETE /cart/items/", "id", undefined],
  ["GET /download-file?file_id=", "file_id", undefined],
])("%s:id", (line, field, body) => {
  const wrong = [...ids, ...beyond].filter((id) => line !== "GET /products/" || !slugs.includes(id));

  it.each(wrong.map((id) => [id.slice(0, 30), id]))("refuses %s", async (_, id) => {
    expectRefusal(await call(line + id, { as: key, body }), 400, field);
  });

  it("finds nothing for the largest possible id", async () => {
    expectRefusal(await call(`${line}9007199254740991`, { as: key, body }), 404);
  });
});

const lists = ["/products", "/account/orders", "/account/transactions", "/files"];
const pageValues = ["0", "-1", "abc", "", "%20", "1e2", "1.0", "0x1", "10,20", "NaN", "Infinity", "9007199254740993"];

describe.each(lists)("GET %s", (path) => {
  const refused = async (query: string, field: string) =>
    expectRefusal(await call(`GET ${path}?${query}`, { as: key }), 400, field);

  it.each([...pageValues, "101", "1000000"])("refuses per_page=%s", (value) =>
    refused(`per_page=${value}`, "per_page"),
  );
  it.each([...pageValues, "9".repeat(400)])("refuses page=%s", (value) => refused(`page=${value}`, "page"));

  it("refuses a parameter that is repeated", async () => {
    await refused("page=1&page=2", "page");
    await refused("per_page=10&per_page=10", "per_page");
  });

  it.each(["limit", "offset", "Page", "page[]", "sort_by", "constructor", "toString", "__proto__", "hasOwnProperty"])(
    "names the unknown parameter %s",
    async (name) => refused(`${encodeURIComponent(name)}=1`, name),
  );

  it("answers a page far past the end with an empty list", async () => {
    const { status, body } = await call(`GET ${path}?page=90071992547409&per_page=100`, { as: key });
    expect([status, body.data]).toEqual([200, []]);
  });

  it("names the last page that may be requested", async () => {
    const { body } = await call(`GET ${path}?page=90071992547410`, { as: key });
    expect(body.details).toEqual([{ field: "page", code: "too_big", limit: 90_071_992_547_409 }]);
  });
});

it.each([
  ["/account/orders", "status", ["unknown", "", "PENDING", "constructor", "pending,paid", "active"]],
  ["/products", "status", ["unknown", "", "Active", "deleted", "__proto__"]],
  ["/products", "type", ["unknown", "", "PHYSICAL"]],
  ["/products", "sort", ["unknown", "", "id", "-newest", "price desc", "constructor", "name;DROP TABLE products"]],
  ["/products", "in_stock", ["", "1", "yes", "TRUE"]],
  ["/products", "min_price", ["", "abc", "-1", "1.234", "1e3", "1e309", "1,50", "99999999", "Infinity", ".5", "5."]],
  ["/products", "max_price", ["", "abc", "-1", "1.234", "1e309", "NaN"]],
  ["/products", "category", ["x".repeat(101), "x".repeat(2_000)]],
  ["/products", "search", ["x".repeat(201), "x".repeat(2_000)]],
])("GET %s refuses other values of %s", async (path, field, values) => {
  for (const value of values) {
    const answer = await call(`GET ${path}?${field}=${encodeURIComponent(value)}`, { as: key });
    expectRefusal(answer, 400, field);
  }
});

it.each(["status=active", "type=digital", "sort=price", "min_price=1", "max_price=1", "category=x", "search=x"])(
  "GET /products refuses %s when it is repeated",
  async (query) => {
    const field = query.split("=")[0];
    expectRefusal(await call(`GET /products?${query}&${query}`, { as: key }), 400, field);
  },
);

it("refuses a minimum price above the maximum", async () => {
  expectRefusal(await call("GET /products?min_price=10.01&max_price=10", { as: key }), 400, "min_price");
  expect((await call("GET /products?min_price=10&max_price=10", { as: key })).status).toBe(200);
});

it("requires the file to download", async () => {
  expectRefusal(await call("GET /download-file", { as: key }), 400, "file_id");
  expectRefusal(await call("GET /download-file?file_id=1&file_id=2", { as: key }), 400, "file_id");
  expectRefusal(await call("GET /downloads", { as: key }), 400, "token");
  expectRefusal(await call(`GET /downloads?token=${"x".repeat(4_000)}`, { as: key }), 400, "token");
});

describe("search", () => {
  const search = (text: string) => call(`GET /products?search=${encodeURIComponent(text)}`, { as: key });
  const hostile = [
    `it's`, `"`, `""`, `"""`, `'; DROP TABLE products; --`, "%", "_", "%_%", "*", "a*", "*a", "**", "^a", "a^", "-a", "+a",
    "NEAR(", "NEAR(a b, 2)", "NEAR", "AND", "OR", "NOT", "a AND", "AND OR NOT", "NOT a", "a OR b AND NOT c", "name:a",
    "{name sku}: a", "- name : a", "sku:*", "products_search:a", "rowid:1", "(", ")", "((((", "()", "a)(b", "[a]", "{a}",
    "\\", "\\\"", "a\\", "?", "?1", ":a", "@a", "$a", "a;b", "/*", "--", "😀", "👩‍👩‍👧‍👦", "a😀b", "é", "e\u0301", "\u0301",
    "\u0000", "a\u0000b", "\u200b", "\ufeff", "\u202e", "\uffff", "\u{10ffff}", "\ue000", "中文", "العربية", "𞤀𞤁", "ﬀ", "İ",
    "!?.,;:-", "…", " ", "\t\n", "", "a ".repeat(100), "a".repeat(200), "😀".repeat(100), '"a" '.repeat(50), "null",
  ]; // biome-ignore format: one line each would fill a page

  it.each(hostile.map((text) => [nameOf(text), text]))("accepts %s", async (_, text) => {
    const { status, body } = await search(text);
    expect([status, body.status]).toEqual([200, "success"]);
  });

  it("accepts any text of up to 200 characters", async () => {
    const words = fc.constantFrom(
      " ",
      '"',
      "*",
      "(",
      ")",
      ":",
      "^",
      "NEAR",
      "AND",
      "OR",
      "NOT",
      "name",
      "a",
      "\u0000",
      "😀",
    );
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ maxLength: 100, unit: anyCharacter }),
      fc.string({ maxLength: 50, unit: words }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (anything) => {
        const { status, body } = await search(anything);
        expect([status, body.status]).toEqual([200, "success"]);
      }),
      { numRuns: 60 },
    );
  });

  it("finds no product by text without words", async () => {
    await aProduct({ name: "100% 'Wool' (thick) NEAR \"it\"" });
    for (const text of ["%", "'", "(", "*", '"', " - "]) expect((await search(text)).body.data).toEqual([]);
  });
});

it("answers any query in the envelope and without an internal error", async () => {
  const names = fc.constantFrom(
    "page",
    "per_page",
    "category",
    "search",
    "status",
    "type",
    "min_price",
    "sort",
    "x",
    "",
  );
  const values = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.nat().map(String),
    fc.double().map(String),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.array(fc.tuple(names, values), { maxLength: 4 }),
      async (path, pairs) => {
        const { status, body } = await call(`GET ${path}?${new URLSearchParams(pairs)}`, { as: key });
        expect([200, 400]).toContain(status);
        if (status === 400) expect(body).toEqual(anError);
      },
    ),
    { numRuns: 50 },
  );
});
