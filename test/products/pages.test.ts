import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { aCategory, aKey, aProduct, someProducts } from "../support/shop.ts";

let key: string;
/** A category of seven products. */
let slug: string;

beforeAll(async () => {
  ({ key } = await aKey());
  const category = await aCategory("Seven");
  ({ slug } = category);
  await someProducts(7, { categoryId: category.id });
});

const linksOf = (headers: Headers): Record<string, URL> =>
  Object.fromEntries(
    [...(headers.get("Link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [
      rel,
      new URL(url ?? ""),
    ]),
  );

it("reaches every product once by following next, with the same totals and filters on every page", async () => {
  const seen: number[] = [];
  let next: string | undefined = `/products?category=${slug}&per_page=3&sort=price`;
  for (let page = 1; next; page++) {
    const { body, headers } = await call(`GET ${next}`, { as: key });
    expect(body.pagination).toEqual({ current_page: page, total_pages: 3, total_items: 7, total_items_exact: true });
    seen.push(...body.data.map(({ id }: { id: number }) => id));
    next = linksOf(headers).next?.href;
  }
  expect(seen).toHaveLength(7);
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
});

it.each([
  [1, { first: "1", next: "2", last: "3" }],
  [2, { first: "1", prev: "1", next: "3", last: "3" }],
  [3, { first: "1", prev: "2", last: "3" }],
  [4, { first: "1", prev: "3", last: "3" }],
  [50, { first: "1", prev: "3", last: "3" }],
])("links page %i of three to its neighbours", async (page, expected) => {
  const { headers } = await call(`GET /products?category=${slug}&per_page=3&page=${page}`, { as: key });
  const links = linksOf(headers);
  expect(Object.fromEntries(Object.entries(links).map(([rel, url]) => [rel, url.searchParams.get("page")]))).toEqual(
    expected,
  );
  expect(Object.values(links).map((url) => url.searchParams.get("category"))).toEqual(
    Object.keys(expected).map(() => slug),
  );
});

it.each([4, 50, 90_071_992_547_409])(
  "answers page %i, past the end, with an empty list and the exact totals",
  async (page) => {
    const { status, body } = await call(`GET /products?category=${slug}&per_page=3&page=${page}`, { as: key });
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ current_page: page, total_pages: 3, total_items: 7, total_items_exact: true });
  },
);

it("has no pages if it is empty", async () => {
  await aCategory("Empty");
  const { status, body, headers } = await call("GET /products?category=empty", { as: key });
  expect(status).toBe(200);
  expect(body).toEqual({
    status: "success",
    message: expect.any(String),
    data: [],
    pagination: { current_page: 1, total_pages: 0, total_items: 0, total_items_exact: true },
  });
  expect(Object.keys(linksOf(headers))).toEqual(["first", "last"]);
});

it("has twenty products per page by default", async () => {
  const { id } = await aCategory("Twenty");
  await someProducts(21, { categoryId: id });
  const { body } = await call("GET /products?category=twenty", { as: key });
  expect(body.data).toHaveLength(20);
  expect(body.pagination).toEqual({ current_page: 1, total_pages: 2, total_items: 21, total_items_exact: true });
});

describe("a list that is followed by ids", () => {
  it.each(["", "&in_stock=true", "&min_price=1&type=physical"])(
    "reaches every product once, in the order of ids, without a total: %s",
    async (filter) => {
      const seen: number[] = [];
      let next: string | undefined = `/products?category=${slug}&per_page=3&after_id=0${filter}`;
      for (let page = 1; next; page++) {
        const { body, headers } = await call(`GET ${next}`, { as: key });
        expect(body.data.length).toBe(page < 3 ? 3 : 1);
        seen.push(...body.data.map(({ id }: { id: number }) => id));
        next = linksOf(headers).next?.href;
      }
      expect(seen).toHaveLength(7);
      expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    },
  );

  it("ends at the last row, and has no drafts", async () => {
    await aProduct({ categoryId: (await aCategory("Drafts")).id, status: "draft" });
    const reader = (await aKey({ permissions: ["products:read"] })).key;
    const { body, headers } = await call("GET /products?category=drafts&after_id=0", { as: reader });
    expect(body.data).toEqual([]);
    expect(linksOf(headers).next).toBeUndefined();
  });

  it.each(["page=2", "search=lamp", "sort=price"])("has no %s", async (query) => {
    const { status, body } = await call(`GET /products?after_id=0&${query}`, { as: key });
    expect(status).toBe(400);
    expect(body.details[0].code).toBe("not_applicable");
  });
});
