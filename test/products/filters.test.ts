import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { runsOf } from "../support/runs.ts";
import { aKey, aUser } from "../support/shop.ts";
import { aShelf, type Filters, naively } from "./shelf.ts";

let shelf: Awaited<ReturnType<typeof aShelf>>;
let key: string;
let users: string[];

beforeAll(async () => {
  shelf = await aShelf();
  ({ key } = await aKey({ tier: "premium" }));
  users = await Promise.all(Array.from({ length: 4 }, async () => (await aUser()).token));
});

const line = (query: Record<string, string | number | undefined>) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `GET /products?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

it.each<Filters>([
  { category: "paper" },
  { category: "fine-ink" },
  { search: "note" },
  { search: "cafe" },
  { status: "active" },
  { status: "draft" },
  { type: "physical" },
  { type: "digital" },
  { type: "service" },
  { min_price: "10" },
  { min_price: "10.01" },
  { max_price: "9.99" },
  { max_price: "0" },
  { in_stock: "true" },
  { in_stock: "false" },
])("filters the list by %o", async (filters) => {
  const expected = naively(shelf, filters, true);
  expect([0, shelf.rows.length]).not.toContain(expected.length);
  const { body } = await call(line({ ...filters, per_page: 100 }), { as: key });
  expect(ids(body.data)).toEqual(ids(expected));
  expect(body.pagination).toEqual({
    current_page: 1,
    total_pages: 1,
    total_items: expected.length,
    total_items_exact: true,
  });
});

it.each(["newest", "price", "-price", "name"])(
  "sorts by %s, and breaks ties so that no page repeats or misses one",
  async (sort) => {
    const expected = ids(naively(shelf, { sort }, true));
    const seen: number[] = [];
    for (let page = 1; page <= Math.ceil(expected.length / 7); page++) {
      const { body } = await call(line({ sort, per_page: 7, page }), { as: key });
      expect(body.pagination.total_items).toBe(expected.length);
      seen.push(...ids(body.data));
    }
    expect(seen).toEqual(expected);
  },
);

it("is newest first by default", async () => {
  const { body } = await call(line({ per_page: 100 }), { as: key });
  expect(ids(body.data)).toEqual(ids(naively(shelf, { sort: "newest" }, true)));
});

/** Filters are mostly absent, so that combinations find something. */
const maybe = (...values: string[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const filters = fc
  .record({
    category: maybe("paper", "fine-ink", "lamps", "no-such"),
    search: maybe("note", "NOTE", "café re", "red no", "uber", "sku-1", "200g ink", "lamp cafe n"),
    status: maybe("active", "draft"),
    type: maybe("physical", "digital", "service"),
    min_price: maybe("0", "0.01", "9.99", "10", "19.99"),
    max_price: maybe("0", "9.99", "10.00", "19.98", "250"),
    in_stock: maybe("true", "false"),
    sort: maybe("newest", "price", "-price", "name"),
  })
  .filter(({ min_price, max_price }) => Number(min_price ?? 0) <= Number(max_price ?? 250));

it("answers any combination of filters, order and page as a naive filter would, with exact totals", async () => {
  const caller = fc.constantFrom(0, 1, 2, 3, undefined);
  const perPage = fc.constantFrom(1, 3, 20, 100);
  await fc.assert(
    fc.asyncProperty(filters, caller, perPage, fc.integer({ min: 1, max: 6 }), async (query, user, per_page, page) => {
      const as = user === undefined ? key : users[user];
      const expected = naively(shelf, query, user === undefined);
      const { status, body } = await call(line({ ...query, per_page, page }), { as });
      if (query.category === "no-such") {
        expect([status, Object.keys(body.errors)]).toEqual([400, ["category"]]);
        return;
      }
      expect(status).toBe(200);
      expect(ids(body.data)).toEqual(ids(expected.slice((page - 1) * per_page, page * per_page)));
      expect(body.pagination).toEqual({
        current_page: page,
        total_pages: Math.ceil(expected.length / per_page),
        total_items: expected.length,
        total_items_exact: true,
      });
    }),
    { numRuns: runsOf(150) },
  );
});

it.each([
  ["min_price=20&max_price=19.99", "min_price"],
  ["min_price=1.234", "min_price"],
  ["max_price=-1", "max_price"],
  ["max_price=1e3", "max_price"],
  ["status=archived", "status"],
  ["type=", "type"],
  ["in_stock=1", "in_stock"],
  ["sort=created", "sort"],
  ["page=0", "page"],
  ["page=1.5", "page"],
  ["page=99999999999999999", "page"],
  ["per_page=0", "per_page"],
  ["per_page=101", "per_page"],
  ["per_page=ten", "per_page"],
  ["page=1&page=2", "page"],
  ["colour=red", "colour"],
])("refuses ?%s and names the field", async (query, field) => {
  const { status, body } = await call(`GET /products?${query}`, { as: key });
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});
