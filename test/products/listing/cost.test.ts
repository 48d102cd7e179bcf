import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { fillCatalogue, served } from "../../../scripts/bench/catalogue.ts";
import { productSortOrders, products } from "../../../src/platform/db/schema.ts";
import { callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { aKey, aProduct, db } from "../../support/shop.ts";

/** Far more products than are skipped to reach a page from the nearer end. */
const MADE = 4500;

let key: string;

beforeAll(async () => {
  await fillCatalogue(served(env.DB), MADE);
  ({ key } = await aKey({ tier: "premium" }));
});

/** Rows that D1 reads for a page, and the total numbers of products and pages. */
async function read(query: string) {
  const { bindings, trips, work } = counted();
  const { status, body } = await callWith(bindings, `GET /products?${query}`, { as: key });
  expect([status, trips.d1, work.statements]).toEqual([200, 1, 1]);
  return { rows: work.rowsRead, items: body.pagination.total_items, pages: body.pagination.total_pages };
}

/** Rows read for the first, middle and last page of a list. */
async function readEnds(list: string) {
  const first = await read(list);
  const middle = await read(`${list}&page=${Math.max(1, Math.ceil(first.pages / 2))}`);
  const last = await read(`${list}&page=${Math.max(1, first.pages)}`);
  return { items: first.items, first: first.rows, middle: middle.rows, last: last.rows };
}

/** Maximum number of rows for a page: its products with their categories and files, and the total. */
const ofPage = (perPage: number) => 5 * perPage + 50;

const sorts = ["newest", "price", "-price", "name"];

describe.each([1, 100])("a page of %i", (perPage) => {
  it.each(["", "&category=paper", "&status=active", "&status=draft", "&category=paper&status=active"])(
    "reads its rows and those skipped from the nearer end: %s",
    async (filter) => {
      for (const sort of sorts) {
        const { items, first, middle, last } = await readEnds(`sort=${sort}&per_page=${perPage}${filter}`);
        expect(first).toBeLessThanOrEqual(ofPage(perPage));
        expect(middle).toBeLessThanOrEqual(ofPage(perPage) + items / 2);
        expect(last).toBeLessThanOrEqual(ofPage(perPage) + 200);
      }
    },
  );

  it.each([
    "&status=active&type=digital",
    "&in_stock=true",
    "&category=paper&status=active&type=physical&in_stock=true",
    "&type=service&in_stock=false",
    "&min_price=100",
    "&min_price=12.34&max_price=345.67",
    "&category=paper&min_price=123.45&max_price=129.99",
  ])("reads the matches of other filters to count and to sort them, and nothing else: %s", async (filter) => {
    for (const sort of sorts) {
      const { items, first, middle, last } = await readEnds(`sort=${sort}&per_page=${perPage}${filter}`);
      expect(Math.max(first, middle, last)).toBeLessThanOrEqual(ofPage(perPage) + 4 * items);
    }
  });
});

it("reads each match of a search once to count it, and none more to show the newest", async () => {
  for (const filter of ["", "&status=active&category=field-recording", "&min_price=100&max_price=200"]) {
    const { items, first } = await readEnds(`search=amber${filter}`);
    expect(first - items).toBeLessThanOrEqual(7 * 20 + 10);
  }
});

/** Rows that D1 writes when `columns` change. */
async function write(id: number, columns: Partial<typeof products.$inferInsert>): Promise<number> {
  const { meta } = await db.update(products).set(columns).where(eq(products.id, id));
  return meta.rows_written;
}

it("writes a few rows when a sorted or filtered field changes, and none for a sale", async () => {
  const { id } = await aProduct({ slug: "counted", sku: "COUNTED", stock: 20, categoryId: 5 });
  // The row itself and its entry in the stock index, then also its entry in the index of low stock.
  expect(await write(id, { stockQuantity: 19 })).toBe(2);
  expect(await write(id, { stockQuantity: 2 })).toBeLessThanOrEqual(3 + 2);
  expect(await write(id, { stockQuantity: 1 })).toBe(3);
  expect(await write(id, { metadata: { colour: "red" } })).toBe(1);
  // Selling out writes its flag, the search index, and the event with its index by product.
  const [words, event] = [2, 2];
  expect(await write(id, { stockQuantity: 0 })).toBeLessThanOrEqual(3 + 1 + words + event);
  // The lists of all products and of two categories (Print and Paper): a row of each, and an index.
  const lists = 3;
  // And the history of prices, with its index.
  expect(await write(id, { price: 4321 })).toBeLessThanOrEqual(1 + 2 * lists + words + 2);
  expect(await write(id, { name: "Otherwise" })).toBeLessThanOrEqual(1 + 2 * lists + words);
  // The rows that leave lists, those of other lists with all indexes, two counts of each, and the version that shoppers keep seeing.
  const moved = lists + lists * productSortOrders.length + 2 * lists;
  expect(await write(id, { status: "draft" })).toBeLessThanOrEqual(1 + moved + words + 1);
});
