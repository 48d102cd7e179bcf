import { env } from "cloudflare:workers";
import { and, between, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { fillCatalogue, served } from "../../../scripts/bench/catalogue.ts";
import { listProducts } from "../../../src/catalogue/products/listing/list.ts";
import { type LookUp, type ProductsQuery, sorts } from "../../../src/catalogue/products/listing/query.ts";
import { categories, productStatuses, products, productTypes } from "../../../src/platform/db/schema.ts";
import { foldedWords } from "../../../src/platform/db/search-words.ts";
import { call } from "../../support/call.ts";
import { brokenRules } from "../../support/rules.ts";
import { runsOf } from "../../support/runs.ts";
import { aProduct, aUser, aVariant, db, orderOf } from "../../support/shop.ts";
import { listingRules } from "./rules.ts";

/** Enough products for pages that are read from either end. */
const MADE = 4500;

let buyer: string;

beforeAll(async () => {
  await fillCatalogue(served(env.DB), MADE);
  ({ token: buyer } = await aUser({ wallet: 1_000_000_000 }));
});

const facts = {
  name: fc.constantFrom("Amber Lamp 7", "amber lamp 7", "Stone", "zebra", "Ünder", "", "10"),
  price: fc.constantFrom(0, 1, 99, 100, 999, 12_000, 12_345, 12_999, 49_999, 999_999_999),
  status: fc.constantFrom(...productStatuses),
  // A gift card has a price and is not shipped, which these facts ignore.
  type: fc.constantFrom(...productTypes.filter((type) => type !== "gift_card")),
  categoryId: fc.constantFrom(null, 1, 5, 8, 9, 12),
  brand: fc.constantFrom(null, "North & Sons", "NORTH & sons", "North"),
  tagIds: fc.constantFrom<number[]>([], [1], [2, 1], [3, 2]),
};
const stock = fc.constantFrom(null, 0, 1, 40);
const stockColumns = (quantity: number | null) => ({ manageStock: quantity !== null, stockQuantity: quantity });

/** Folded words of a name. The name is the only text here that can contain non-ASCII characters. */
const wordsOf = (name: string | undefined) => name !== undefined && { foldedWords: foldedWords([name]) };

const change = (where: SQL | undefined, columns: Partial<typeof products.$inferInsert>) =>
  db
    .update(products)
    .set({ ...columns, ...wordsOf(columns.name) })
    .where(where);

/** Sets a stock level, unless orders have reserved more, which the database refuses. */
async function setStock(where: SQL | undefined, quantity: number | null, more: { status?: "active" } = {}) {
  const isRefused = (error: Error) => String(error.cause).includes("stock_not_negative");
  await change(where, { ...more, ...stockColumns(quantity) }).catch((error) => {
    if (!isRefused(error)) throw error;
  });
}

const neverSold = sql`NOT EXISTS (
  SELECT 1 FROM order_items JOIN products AS sold ON sold.id = product_id
  WHERE sold.id = products.id OR sold.parent_id = products.id)`;

const isListed = isNull(products.parentId);
const hasNoOptions = eq(products.options, []);

/** Consecutive products, without their variants. */
const some = fc
  .record({ first: fc.integer({ min: 0, max: MADE + 200 }), more: fc.constantFrom(0, 0, 0, 0, 9, 70) })
  .map(({ first, more }) => {
    const id = sql`(SELECT min(id) FROM products) + ${first}`;
    return and(between(products.id, id, sql`${id} + ${more}`), isListed);
  });

/** Consecutive variants. */
const someVariants = fc.record({ first: fc.nat(60), more: fc.constantFrom(0, 0, 3) }).map(
  ({ first, more }) => sql`${products.id} IN (
      SELECT id FROM products WHERE parent_id IS NOT NULL ORDER BY id LIMIT ${more + 1} OFFSET ${first})`,
);

/** Any category, preferring empty ones, which become parents of others. */
const category = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 9, max: 12 }));

/** One changed column. */
const oneOf = fc.oneof(...Object.entries(facts).map(([name, values]) => values.map((value) => ({ [name]: value }))));

/** Changes of products. */
const changes = fc.oneof(
  fc.record({ ...facts, stock }).map((row) => async () => {
    const slug = crypto.randomUUID();
    await aProduct({ ...row, slug, sku: slug });
  }),
  fc.record({ some, facts: oneOf }).map((to) => () => change(to.some, to.facts)),
  fc.record({ some, facts: fc.record(facts) }).map((to) => () => change(to.some, to.facts)),
  fc.record({ some, stock }).map((to) => () => setStock(and(to.some, hasNoOptions), to.stock)),
  some.map((where) => () => db.delete(products).where(and(where, neverSold))),
  some.map((where) => () => copy(where)),
  fc
    .record({
      ...facts,
      variants: fc.array(fc.record({ price: facts.price, status: facts.status, stock }), {
        minLength: 2,
        maxLength: 4,
      }),
    })
    .map(({ variants, ...row }) => async () => {
      const slug = crypto.randomUUID();
      const parent = await aProduct({
        ...row,
        stock: null,
        slug,
        sku: slug,
        options: [
          { name: "Cut", values: ["slim", "wide"] },
          { name: "Hue", values: ["stone", "blue"] },
        ],
      });
      for (const variant of variants) {
        const id = crypto.randomUUID();
        await aVariant(parent, { ...variant, slug: id, sku: id });
      }
    }),
  fc.record({ someVariants, price: facts.price, ownStatus: facts.status, all: fc.boolean() }).map(
    ({ someVariants: where, price, ownStatus, all }) =>
      () =>
        change(where, all ? { price, ownStatus } : { price }),
  ),
  fc.record({ someVariants, stock }).map((to) => () => setStock(to.someVariants, to.stock)),
  someVariants.map((where) => () => db.delete(products).where(and(where, neverSold))),
  fc.record({ id: category, parentId: fc.option(category) }).map((to) => () => moveCategory(to)),
  fc.record({ id: category, name: fc.constantFrom("Alpha", "beta", "Gamma") }).map(
    ({ id, name }) =>
      () =>
        db.update(categories).set({ name }).where(eq(categories.id, id)),
  ),
  someVariants.map((where) => () => order(where)),
  some.map((where) => () => order(where)),
);

/** Moves a category. The database refuses cycles and too many levels. */
async function moveCategory({ id, parentId }: { id: number; parentId: number | null }): Promise<void> {
  const move = db.update(categories).set({ parentId }).where(eq(categories.id, id));
  const { above, below } = await placeOf(id, parentId);
  const isAllowed = !above.includes(id) && above.length + below <= 5;
  await move.then(
    () => expect(isAllowed).toBe(true),
    ({ cause }) => expect([isAllowed, String(cause)]).toEqual([false, expect.stringContaining("category_")]),
  );
}

const parentsOf = async () =>
  new Map(
    (await db.select({ id: categories.id, parentId: categories.parentId }).from(categories)).map((row) => [
      row.id,
      row.parentId,
    ]),
  );

const pathIn = (parents: Map<number, number | null>, id: number | null | undefined): number[] =>
  id === null || id === undefined ? [] : [...pathIn(parents, parents.get(id)), id];

/** The ancestors of a parent category, and the number of levels from a category down. */
async function placeOf(id: number, parentId: number | null) {
  const parents = await parentsOf();
  const paths = [...parents.keys()].map((each) => pathIn(parents, each));
  const below = Math.max(...paths.map((path) => (path.includes(id) ? path.length - path.indexOf(id) : 0)));
  return { above: pathIn(parents, parentId), below };
}

/** Copies some products in one statement. */
const copy = (from: SQL | undefined) =>
  db.run(sql`
    INSERT INTO products (name, folded_words, slug, sku, type, status, price, category_id, tag_ids, requires_shipping, manage_stock,
      stock_quantity, created_at, updated_at)
    SELECT name, folded_words, hex(randomblob(8)), hex(randomblob(8)), type, status, price, category_id, tag_ids, requires_shipping, manage_stock,
      stock_quantity, created_at, updated_at FROM products WHERE ${and(from, hasNoOptions)}`);

/** Sells the last unit of a product. */
async function order(where: SQL | undefined): Promise<void> {
  const product = await db.select().from(products).where(and(where, hasNoOptions)).limit(1).get();
  if (!product) return;
  await setStock(eq(products.id, product.id), 1, { status: "active" });
  await call("POST /orders", { as: buyer, body: orderOf(product) });
}

const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const queries: fc.Arbitrary<ProductsQuery> = fc
  .record({
    page: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200 })),
    per_page: fc.constantFrom(1, 7, 20, 100, 100),
    category: maybe(["paper", "field-recording", "studio", "print", "audio"]),
    tag: fc.option(fc.constantFrom(["gift"], ["Gift", "SALE"], ["handmade", "gift"], ["unknown"]), {
      nil: undefined,
      freq: 4,
    }),
    brand: fc.option(fc.constantFrom("North & Sons", "north", "Unheard"), { nil: undefined, freq: 4 }),
    search: fc.option(fc.constantFrom("amber", "stone la", "sku"), { nil: undefined, freq: 4 }),
    status: maybe(productStatuses),
    type: maybe(productTypes),
    min_price: maybe([0, 99, 100, 999, 12_000, 12_345]),
    max_price: maybe([12_345, 12_400, 12_999, 25_000, 999_999_999]),
    in_stock: maybe([true, false]),
    sort: fc.constantFrom(...sorts),
  } satisfies Record<Exclude<keyof ProductsQuery, keyof LookUp | "after_id" | "fields" | "parent_id">, unknown>)
  .map((query) => query as ProductsQuery);

const text = sql`' ' || ${products.name} || ' ' || ${products.sku} || ' ' || ${products.description}
  || iif(EXISTS (SELECT 1 FROM products AS variant WHERE variant.parent_id = products.id), ' slim wide stone blue', '')`;

/** The active variants of a product, or the product itself if it has none. */
const ofVariants = (what: string, otherwise: SQL | typeof products.price): SQL => sql`coalesce((
  SELECT ${sql.raw(what)} FROM products AS variant WHERE variant.parent_id = products.id AND variant.own_status = 'active'
), ${otherwise})`;
const lowest = ofVariants("min(variant.price)", products.price);
const highest = ofVariants("max(variant.price)", products.price);
const canBeBought = sql`iif(${products.options} = '[]', ${products.manageStock} = 0 OR ${products.stockQuantity} > 0, ${ofVariants("max(variant.manage_stock = 0 OR variant.stock_quantity > 0)", sql`0`)})`;

/** The expected result of a query, in order, found by scanning everything. */
async function naively(query: ProductsQuery): Promise<number[]> {
  const { category, tag, brand, search, status, type, min_price, max_price, in_stock, sort } = query;
  const parents = await parentsOf();
  const asked = await db
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.slug, category ?? ""))
    .get();
  const below = [...parents.keys()].filter((id) => pathIn(parents, id).includes(asked?.id ?? 0));
  const where = and(
    isListed,
    category === undefined ? undefined : inArray(products.categoryId, below),
    ...(tag ?? []).map(
      (name) =>
        sql`EXISTS (SELECT 1 FROM json_each(${products.tagIds}) JOIN tags ON tags.id = value WHERE tags.name = ${name} COLLATE NOCASE)`,
    ),
    ...(search?.split(" ") ?? []).map((word) => sql`${text} LIKE ${`% ${word}%`}`),
    brand === undefined ? undefined : sql`${products.brand} = ${brand} COLLATE NOCASE`,
    status && eq(products.status, status),
    type && eq(products.type, type),
    min_price === undefined ? undefined : sql`${highest} >= ${min_price}`,
    max_price === undefined ? undefined : sql`${lowest} <= ${max_price}`,
    in_stock === undefined ? undefined : sql`${canBeBought} = ${in_stock ? 1 : 0}`,
  );
  const orders = {
    newest: sql`${products.id} DESC`,
    price: sql`${lowest}, ${products.id}`,
    "-price": sql`${lowest} DESC, ${products.id} DESC`,
    name: sql`${products.sortName} COLLATE NOCASE, ${products.id}`,
  };
  const rows = db.select({ id: products.id }).from(products);
  return (await rows.where(where).orderBy(orders[sort])).map(({ id }) => id);
}

it("lists and counts correctly on every page of every list, whatever changes products", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(changes, { minLength: 25, maxLength: 25 }),
      fc.array(queries, { minLength: 15, maxLength: 15 }),
      async (changed, asked) => {
        for (const change of changed) await change();
        for (const query of asked) {
          const expected = await naively(query);
          const { rows, totalItems } = await listProducts(db, query, true);
          expect(totalItems).toBe(expected.length);
          const { page, per_page } = query;
          expect(rows.map(({ id }) => id)).toEqual(expected.slice((page - 1) * per_page, page * per_page));
        }
      },
    ),
    { numRuns: runsOf(10), endOnFailure: true },
  );
  expect(await brokenRules(env.DB, listingRules)).toEqual({});
  await db.run(sql`INSERT INTO products_search (products_search, rank) VALUES ('integrity-check', 1)`);
}, 120_000);
