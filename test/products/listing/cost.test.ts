import { env } from "cloudflare:workers";
import { eq, inArray } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { fillCatalogue, served } from "../../../scripts/bench/catalogue.ts";
import { products } from "../../../src/db/schema.ts";
import { callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { aKey, aProduct, db } from "../../support/shop.ts";

const MADE = 3300;

let key: string;

/** Trees of three levels; a short list could not tell a good plan from a bad one. */
beforeAll(async () => {
  await fillCatalogue(served(env.DB), MADE);
  ({ key } = await aKey({ tier: "premium" }));
});

/** Rows that D1 reads for a page, and how many products and pages there are in all. */
async function read(query: string) {
  const { bindings, trips, work } = counted();
  const { status, body } = await callWith(bindings, `GET /products?${query}`, { as: key });
  expect([status, trips.d1]).toEqual([200, 1]);
  return { rows: work.rowsRead, items: body.pagination.total_items, pages: body.pagination.total_pages };
}

/** What the first, the middle and the last page of a list read. */
async function readEnds(list: string) {
  const first = await read(list);
  const middle = await read(`${list}&page=${Math.max(1, Math.ceil(first.pages / 2))}`);
  const last = await read(`${list}&page=${Math.max(1, first.pages)}`);
  return { items: first.items, first: first.rows, middle: middle.rows, last: last.rows };
}

const budget = (perPage: number) => 3 * perPage + 50;

describe.each([1, 100])("a page of %i", (perPage) => {
  it.each([
    "",
    "&category=paper",
    "&status=active",
    "&status=draft&type=service",
    "&type=digital",
    "&in_stock=true",
    "&in_stock=false",
    "&category=paper&status=active&type=physical&in_stock=true",
  ])("reads three rows a product and fifty at most, wherever it is and however it is sorted: %s", async (filter) => {
    for (const sort of ["newest", "price", "-price", "name"]) {
      const { first, middle, last } = await readEnds(`sort=${sort}&per_page=${perPage}${filter}`);
      expect(Math.max(first, middle, last)).toBeLessThanOrEqual(budget(perPage));
    }
  });

  it.each(["", "&category=paper", "&status=active&in_stock=true"])(
    "reads no more of a range of prices in the order of prices: %s",
    async (filter) => {
      for (const sort of ["price", "-price"]) {
        const range = "&min_price=12.34&max_price=345.67";
        const { first, middle, last } = await readEnds(`sort=${sort}&per_page=${perPage}${range}${filter}`);
        expect(Math.max(first, middle, last)).toBeLessThanOrEqual(budget(perPage));
      }
    },
  );

  it.each([
    "min_price=100",
    "max_price=234.56",
    "min_price=12.34&max_price=345.67",
    "min_price=123.45&max_price=129.99",
  ])("reads no more of the first and the last products of a range of prices, newest first: %s", async (range) => {
    const { items, first, middle, last } = await readEnds(`per_page=${perPage}&${range}`);
    expect(Math.max(first, last)).toBeLessThanOrEqual(budget(perPage));
    expect(middle).toBeLessThanOrEqual(budget(perPage) + items / 2);
  });

  it.each(["min_price=100", "min_price=12.34&max_price=45.67", "min_price=123.45&max_price=129.99"])(
    "by name reads the fewer of the walk and the range: %s",
    async (range) => {
      const { first, last } = await readEnds(`sort=name&per_page=${perPage}&${range}`);
      expect(Math.max(first, last)).toBeLessThanOrEqual(5 * perPage + 50 + 4 * Math.sqrt(2 * perPage * MADE));
    },
  );
});

it("reads no more where a thousand products cost the same", async () => {
  const some = db.select({ id: products.id }).from(products).orderBy(products.id).limit(1000).offset(1000);
  await db.update(products).set({ price: 77_777_700 }).where(inArray(products.id, some));
  for (const sort of ["price", "-price"]) {
    const { items, first, middle, last } = await readEnds(`sort=${sort}&per_page=1&min_price=777777`);
    expect(items).toBe(1000);
    expect(Math.max(first, middle, last)).toBeLessThanOrEqual(budget(1));
  }
});

it("reads each match of a search once to count it, and none besides to show the newest", async () => {
  for (const filter of ["", "&status=active&category=paper", "&min_price=100&max_price=200"]) {
    const { items, first } = await readEnds(`search=amber${filter}`);
    expect(first - items).toBeLessThanOrEqual(5 * 20 + 10);
  }
});

/** Rows that D1 writes for a change of `columns`. */
async function write(id: number, columns: Partial<typeof products.$inferInsert>): Promise<number> {
  const { meta } = await db.update(products).set(columns).where(eq(products.id, id));
  return meta.rows_written;
}

it("writes a few rows for a change of what lists are ordered or narrowed by, and none for a sale", async () => {
  const { id } = await aProduct({ slug: "counted", sku: "COUNTED", stock: 2, categoryId: 5 });
  // The row itself, and its entry in the index of what is running out.
  expect(await write(id, { stockQuantity: 1 })).toBe(2);
  expect(await write(id, { metadata: { colour: "red" } })).toBe(1);
  // Besides, at most: 12 entries in the indexes of lists, and the nodes on the way in six trees,
  // here of three levels and two, and in the full-text index its text anew.
  expect(await write(id, { stockQuantity: 0 })).toBeLessThanOrEqual(2 + 1 + 12 + 15 + 2);
  expect(await write(id, { status: "draft" })).toBeLessThanOrEqual(2 + 12 + 15 + 2);
  expect(await write(id, { price: 4321 })).toBeLessThanOrEqual(1 + 4 + 2 * 5 + 2);
  expect(await write(id, { name: "Otherwise" })).toBeLessThanOrEqual(1 + 4 + 2 * 5 + 2);
});
