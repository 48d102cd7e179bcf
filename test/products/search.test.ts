import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { anyText } from "../support/any-text.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, db } from "../support/shop.ts";

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
  await aProduct({ name: "Crème brûlée torch", sku: "TORCH-77-B", description: "Burns sugar, slowly; it's safe." });
});

const found = async (search: string): Promise<number[]> => {
  const { status, body } = await call(`GET /products?per_page=100&search=${encodeURIComponent(search)}`, { as: key });
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: number }) => id);
};

it.each([
  ["a word of the name", "torch"],
  ["a word of the description", "sugar"],
  ["the whole SKU", "TORCH-77-B"],
  ["the SKU in another case", "torch-77-b"],
  ["the start of a SKU", "torch-77"],
  ["the start of a SKU, up to a hyphen", "TORCH-77-"],
  ["the start of its only word", "tor"],
  ["the first two letters", "to"],
  ["words in any order", "torch crème"],
  ["words of different columns", "sugar torch"],
  ["the start of the last word", "crème bru"],
  ["words without their diacritics", "creme brulee"],
  ["words with other diacritics, decomposed", "Crème brûlée".normalize("NFD")],
  ["another case", "CRÈME BRÛLÉE"],
  ["words amid punctuation", " «sugar»,  (slowly)! "],
  ["an apostrophe", "it's"],
])("finds a product by %s", async (_, search) => {
  const product = await db.select().from(tables.products).where(eq(tables.products.sku, "TORCH-77-B")).get();
  expect(await found(search)).toEqual([product?.id]);
});

it.each([
  ["a word more that it lacks", "torch lighter"],
  ["the start of a word that is not the last", "tor sugar"],
  ["the middle of a word", "rch"],
  ["its first letter", "t"],
  ["what is no word", "«--»"],
  ["white space", "   "],
  ["an operator of the index: OR", "torch OR lighter"],
  ["an operator of the index: NOT", "sugar NOT torch"],
  ["a column of the index", "name:lighter"],
])("does not find it by %s", async (_, search) => {
  expect(await found(search)).toEqual([]);
});

it("follows a product from creation to deletion", async () => {
  const { id } = await aProduct({ name: "Quillfeather", sku: "QF-1", description: "plumage" });
  const set = (columns: Partial<typeof tables.products.$inferInsert>) =>
    db.update(tables.products).set(columns).where(eq(tables.products.id, id));
  expect([await found("quillfeather"), await found("qf-1"), await found("plumage")]).toEqual([[id], [id], [id]]);
  await set({ name: "Zephyrpen" });
  expect([await found("quillfeather"), await found("zephyrpen"), await found("plumage")]).toEqual([[], [id], [id]]);
  await set({ sku: "ZP-9" });
  expect([await found("qf-1"), await found("zp-9"), await found("plumage")]).toEqual([[], [id], [id]]);
  await set({ description: "nib" });
  expect([await found("plumage"), await found("zp-9 nib")]).toEqual([[], [id]]);
  await set({ price: 1, stockQuantity: 3 });
  expect(await found("zephyrpen")).toEqual([id]);
  await db.delete(tables.products).where(eq(tables.products.id, id));
  expect([await found("zephyrpen"), await found("zp-9"), await found("nib")]).toEqual([[], [], []]);
  // FTS5 compares the index with the table, word by word, and throws if they differ.
  await db.run(sql`INSERT INTO products_search (products_search, rank) VALUES ('integrity-check', 1)`);
});

it("accepts any text without a fault", async () => {
  const nasty = fc.constantFrom(...`"'*()^:-+{}%_\\\0`, "AND", "OR", "NEAR(");
  const text = fc.oneof(
    anyText,
    fc
      .array(fc.oneof(nasty, fc.constantFrom("torch", "a", "é", "हिन्दी", "日本語", "ไทย")), { maxLength: 12 })
      .map((a) => a.join(" ")),
  );
  await fc.assert(
    fc.asyncProperty(text, async (search) => {
      await found(search.slice(0, 200).toWellFormed());
    }),
    { numRuns: 60 },
  );
});

it("finds by the first eight different words of a hundred, and accepts no more than 200 characters", async () => {
  const eight = "crème brûlée torch 77 b burns sugar slowly";
  const product = await db.select().from(tables.products).where(eq(tables.products.sku, "TORCH-77-B")).get();
  expect(await found(`${eight} and nothing else`)).toEqual([product?.id]);
  expect(await found(`${"torch ".repeat(20)}${eight.replace("slowly", "lighter")}`)).toEqual([]);
  expect(await found(Array(100).fill("t").join(" "))).toEqual([]);
  const { status, body } = await call(`GET /products?search=${"t".repeat(201)}`, { as: key });
  expect([status, Object.keys(body.errors)]).toEqual([400, ["search"]]);
});

it.each(["हिन्दी किताब", "日本語の本", "หนังสือไทย", "كِتَاب", "עִבְרִית"])("finds %s by its own name", async (name) => {
  const { id } = await aProduct({ name });
  expect(await found(name)).toEqual([id]);
});
