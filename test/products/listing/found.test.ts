import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { fillCatalogue, served } from "../../../scripts/bench/catalogue.ts";
import { callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { aKey } from "../../support/shop.ts";

// More products than a search counts, sorts and pages through, all named `a` with SKUs that start with `sku`.
const MADE = 10_400;
const MAX_FOUND = 10_000;

let key: string;

beforeAll(async () => {
  await fillCatalogue(served(env.DB), MADE);
  ({ key } = await aKey({ tier: "premium" }));
});

async function read(query: string) {
  const { bindings, trips, work } = counted();
  const { status, body, headers } = await callWith(bindings, `GET /products?${query}`, { as: key });
  expect([status, trips.d1]).toEqual([200, 1]);
  return { ...body, link: headers.get("Link") ?? "", rows: work.rowsRead };
}

describe.each(["newest", "price", "-price", "name"])("a list that finds more than it counts, by %s", (sort) => {
  it.each(["search=sku", "min_price=0.50"])(
    "has the 10,000 newest in order, says that its total is not exact, and ends with the last of them: %s",
    async (list) => {
      const seen: { id: number; price: number; name: string }[] = [];
      const total = { total_pages: 100, total_items: MAX_FOUND, total_items_exact: false };
      for (const page of [1, 50, 100]) {
        const { data, pagination, link } = await read(`${list}&sort=${sort}&per_page=100&page=${page}`);
        expect(pagination).toEqual({ current_page: page, ...total });
        expect(link).toContain('&page=100>; rel="last"');
        expect(link.includes('rel="next"')).toBe(page < 100);
        seen.push(...data);
      }
      const past = await read(`${list}&sort=${sort}&per_page=100&page=101`);
      expect([past.data, past.pagination]).toEqual([[], { current_page: 101, ...total }]);
      const across = await read(`${list}&sort=${sort}&per_page=99&page=102`);
      expect(across.data).toHaveLength(MAX_FOUND - 99 * 101);
      expect(Math.min(...seen.map(({ id }) => id))).toBeGreaterThan(MADE - MAX_FOUND);
      const by = {
        newest: ({ id }: { id: number }) => -id,
        price: ({ price }: { price: number }) => price,
        "-price": ({ price }: { price: number }) => -price,
      }[sort];
      if (by) expect(seen.map(by)).toEqual(seen.map(by).toSorted((a, b) => a - b));
      else expect(seen.map(({ name }) => name)).toEqual(seen.map(({ name }) => name).toSorted());
    },
  );

  it.each([
    "a+a",
    "a+sku+sku+sku+sku+sku+sku+sku+sku",
    "sku+00",
    "a&min_price=1.11&max_price=8888888.88",
    "sku&category=paper&status=active",
  ])("reads a bounded number of rows with any filter: %s", async (search) => {
    for (const page of [1, 50, 100]) {
      const { rows } = await read(`search=${search}&sort=${sort}&per_page=100&page=${page}`);
      expect(rows).toBeLessThanOrEqual(5 * MAX_FOUND);
    }
  });
});

it("marks an exact total as exact", async () => {
  const { pagination } = await read("search=velvet&sort=name");
  expect(pagination.total_items_exact).toBe(true);
  expect((await read("per_page=1")).pagination).toMatchObject({ total_items: MADE, total_items_exact: true });
});
