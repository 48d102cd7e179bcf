import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, ORIGIN, requestTo } from "../support/call.ts";
import { follow } from "../support/links.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aFile, aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

const linkTo = async (content: string) => {
  const file = await aFile({ content });
  return (await call(`GET /download-file?file_id=${file.id}`)).body.data.url as string;
};

const LONG = "x".repeat(70_000);

describe("a created resource", () => {
  it("is found at its Location", async () => {
    const [user, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
    const admin = (await aUser({ role: "admin" })).token;
    const named = { name: `Shelf ${crypto.randomUUID()}` };
    const cases: [line: string, as: string, body: unknown][] = [
      ["POST /orders", user.token, orderOf(product)],
      ["POST /cart", user.token, { product_id: product.id }],
      ["POST /admin/categories", admin, named],
      ["POST /admin/products", admin, { ...named, sku: crypto.randomUUID(), type: "service", price: 1 }],
      [`POST /admin/users/${user.id}/credit`, admin, { amount: 1, reason: "Goodwill" }],
      ["POST /admin/api-keys", admin, { name: "Till", permissions: ["products:read"] }],
    ];
    for (const [line, as, body] of cases) {
      const { status, headers } = await call(line, { as, body });
      expect([line, status]).toEqual([line, 201]);
      const found = await call(`GET ${ORIGIN}${headers.get("Location")}`, { as });
      expect([line, found.status]).toEqual([line, 200]);
    }
  });

  it("is the account of the person who signs up", async () => {
    const body = { email: `${crypto.randomUUID()}@shop.test`, password: "correct horse", name: "New" };
    const { headers, body: answer } = await call("POST /auth/signup", { body });
    const found = await call(`GET ${ORIGIN}${headers.get("Location")}`, { as: answer.data.token });
    expect([found.status, found.body.data.email]).toEqual([200, body.email]);
  });
});

describe("a catalogue response", () => {
  it("states its age when it was cached, also with 304", async () => {
    const [{ key }, { id }] = [await aKey(), await aProduct()];
    const ask = (headers = {}) =>
      call(`GET /products/${id}`, { as: key, headers: { "x-d1-bookmark": "", ...headers } });
    const built = await ask();
    const again = await ask();
    const unchanged = await ask({ "If-None-Match": built.headers.get("ETag") ?? "" });
    expect(built.headers.get("Age")).toBeNull();
    expect(again.headers.get("Age")).toMatch(/^\d{1,2}$/);
    expect([unchanged.status, unchanged.headers.get("Age")]).toEqual([304, expect.stringMatching(/^\d{1,2}$/)]);
  });
});

describe("WWW-Authenticate", () => {
  const challenge = async (...request: Parameters<typeof call>) =>
    (await call(...request)).headers.get("WWW-Authenticate");
  const metadata = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api/v1"`;

  it("names no error if no credential was sent, or if a password is wrong", async () => {
    expect(await challenge("GET /cart")).toBe(`Bearer realm="storefront", ${metadata}`);
    const login = { email: "nobody@shop.test", password: "wrong" };
    expect(await challenge("POST /auth/login", { body: login })).toBe(`Bearer realm="storefront", ${metadata}`);
  });

  it.each(["nonsense", `sfk_${"x".repeat(33)}`])("says that %s is not a credential", async (as) => {
    expect(await challenge("GET /cart", { as })).toBe(`Bearer realm="storefront", error="invalid_token", ${metadata}`);
  });

  it("names the permission that a key or a role lacks", async () => {
    const { key } = await aKey({ permissions: [] });
    expect(await challenge("GET /cart", { as: key })).toBe(
      `Bearer realm="storefront", error="insufficient_scope", scope="carts:read", ${metadata}`,
    );
    expect(await challenge("GET /admin/orders", { as: (await aUser()).token })).toBe(
      `Bearer realm="storefront", error="insufficient_scope", scope="shipments:read", ${metadata}`,
    );
  });

  it("says if no permission would help this kind of caller", async () => {
    const enough = `Bearer realm="storefront", error="insufficient_scope", ${metadata}`;
    expect(await challenge("GET /admin/audit-log", { as: (await aKey()).key })).toBe(enough);
    expect(await challenge("GET /account/profile", { as: (await aKey()).key })).toBe(enough);
  });
});

describe("a request", () => {
  it.each([
    ["GET /products?page=1&page=2", "page"],
    ["GET /products?search=a&search=b", "search"],
    ["GET /products?in_stock=true&in_stock=true", "in_stock"],
    ["GET /download-file?file_id=1&file_id=2", "file_id"],
  ])("%s gets an error if %s was sent more than once", async (line, field) => {
    const answer = await call(line, { as: (await aKey()).key });
    expectRefusal(answer, 400, field);
    expect(answer.body.errors).toEqual({ [field]: ["was sent more than once"] });
    expect(answer.body.details).toEqual([{ field, code: "repeated" }]);
  });

  it.each(["gzip", "br", "deflate", "gzip, identity"])(
    "with a body in %s learns the accepted encodings",
    async (coding) => {
      const headers = { "Content-Encoding": coding };
      const answer = await call("POST /cart", { as: (await aKey()).key, body: "\u001f\u008b", headers });
      expectRefusal(answer, 415, "content-encoding");
      expect(answer.headers.get("Accept-Encoding")).toBe("identity");
    },
  );

  it("with a body in identity encoding is read", async () => {
    const [{ key }, { id }] = [await aKey(), await aProduct()];
    const headers = { "Content-Encoding": "identity" };
    expect((await call("POST /cart", { as: key, body: { product_id: id }, headers })).status).toBe(201);
  });
});

describe("a download", () => {
  it("continues only if If-Match names the content", async () => {
    const url = await linkTo(LONG);
    const etag = (await follow(url)).headers.get("ETag") ?? "";
    const statusOf = async (ifMatch: string) => (await follow(url, { headers: { "If-Match": ifMatch } })).status;
    const named = [etag, `W/${etag}`, "*", `"other", ${etag}`];
    expect(await Promise.all(named.map(statusOf))).toEqual([200, 200, 200, 200]);
    expect(await Promise.all(['"other"', 'W/"other"'].map(statusOf))).toEqual([412, 412]);
  });

  it("reads the unit of a range in any case", async () => {
    const { status, bytes } = await follow(await linkTo(LONG), { headers: { Range: "Bytes=0-9" } });
    expect([status, bytes.length]).toEqual([206, 10]);
  });
});

describe("the root URL of the deployment", () => {
  const open = (accept: string) =>
    exports.default.fetch(
      new Request(requestTo(`GET ${ORIGIN}/`, { headers: { Accept: accept } }), { redirect: "manual" }),
    );

  it("redirects people to the reference", async () => {
    const { status, headers } = await open("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([status, headers.get("Location"), headers.get("Vary")]).toEqual([302, "/docs", "Accept"]);
  });

  it.each(["*/*", "application/json"])("tells programs that accept %s where the API is", async (accept) => {
    const answer = await open(accept);
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { status: "success", data: { documentation: `${ORIGIN}/docs`, api: `${ORIGIN}/api/v1/user` } },
    ]);
  });
});

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
  const { id: categoryId } = await aCategory("Paged");
  for (let n = 0; n < 5; n++) await aProduct({ categoryId });
});

const list = (query: string) => call(`GET /products?${query}`, { as: key });

/** Query parameters of the links in a Link header, by relation, in alphabetical order. */
const linksOf = (headers: Headers) =>
  Object.fromEntries(
    [...(headers.get("Link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = "", rel]) => {
      const { searchParams } = new URL(url);
      searchParams.sort();
      return [rel, searchParams.toString()];
    }),
  );

const onPage = (page: number) => `category=paged&page=${page}&per_page=2&sort=name`;

describe("a list of five in pages of two", () => {
  it.each([
    [1, 2, { first: onPage(1), next: onPage(2), last: onPage(3) }],
    [2, 2, { first: onPage(1), prev: onPage(1), next: onPage(3), last: onPage(3) }],
    [3, 1, { first: onPage(1), prev: onPage(2), last: onPage(3) }],
    [4, 0, { first: onPage(1), prev: onPage(3), last: onPage(3) }],
    [1_000_000, 0, { first: onPage(1), prev: onPage(3), last: onPage(3) }],
  ])("has on page %i %i items, the exact totals and links that keep the query", async (page, count, links) => {
    const { status, headers, body } = await list(`sort=name&category=paged&per_page=2&page=${page}`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(count);
    expect(body.pagination).toEqual({ current_page: page, total_pages: 3, total_items: 5, total_items_exact: true });
    expect(linksOf(headers)).toEqual(links);
  });

  it("is read to its end by its links, each item once", async () => {
    const seen: number[] = [];
    let next: string | undefined = onPage(1);
    while (next) {
      const { headers, body } = await list(next);
      seen.push(...body.data.map(({ id }: { id: number }) => id));
      next = linksOf(headers).next;
    }
    expect([seen.length, new Set(seen).size]).toEqual([5, 5]);
  });

  it("is one page by default", async () => {
    const { headers, body } = await list("category=paged");
    expect(body.pagination).toEqual({ current_page: 1, total_pages: 1, total_items: 5, total_items_exact: true });
    expect(linksOf(headers)).toEqual({ first: "category=paged&page=1", last: "category=paged&page=1" });
  });
});

it("links back to the requested address, with hostile characters escaped", async () => {
  const search = `"><script>, <x>; rel="next"`;
  const { headers } = await list(`search=${encodeURIComponent(search)}`);
  const link = headers.get("Link") ?? "";
  const [, first = ""] = /^<([^>]+)>; rel="first"/.exec(link) ?? [];
  expect(new URL(first).pathname).toBe("/api/v1/user/products");
  expect(new URL(first).searchParams.get("search")).toBe(search);
  expect(link.match(/rel="/g)).toHaveLength(2);
});

it.each(["/account/orders", "/account/transactions"])(
  "GET %s of a new user is empty and has one page",
  async (path) => {
    const { status, headers, body } = await call(`GET ${path}`, { as: (await aUser()).token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], pagination: { current_page: 1, total_pages: 0, total_items: 0 } });
    expect(linksOf(headers)).toEqual({ first: "page=1", last: "page=1" });
  },
);

it.each(["/account/orders", "/account/transactions"])("GET %s counts the caller's own, page by page", async (path) => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct();
  for (let n = 1; n <= 3; n++) await call("POST /orders", { as: user.token, body: orderOf(product, n) });
  const total = path === "/account/orders" ? 3 : 4;
  const ids: number[] = [];
  for (let page = 1; page <= total; page++) {
    const { headers, body } = await call(`GET ${path}?per_page=1&page=${page}`, { as: user.token });
    expect(body.pagination).toEqual({
      current_page: page,
      total_pages: total,
      total_items: total,
      total_items_exact: true,
    });
    expect(Object.hasOwn(linksOf(headers), "next")).toBe(page < total);
    ids.push(body.data[0].id);
  }
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});
