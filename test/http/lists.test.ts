import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { aCategory, aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

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
