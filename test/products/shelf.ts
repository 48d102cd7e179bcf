import fc from "fast-check";
import * as tables from "../../src/platform/db/schema.ts";
import { aCategory, aProduct, db } from "../support/shop.ts";

export type Row = typeof tables.products.$inferSelect;

const WORDS = ["Café", "cafe", "Lámpara", "Notebook", "note", "Über", "red", "Red", "A4", "200g", "naïve", "Ink"];

const phrase = (least: number, most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: least, maxLength: most }).map((words) => words.join(" "));

const columns = fc.record({
  name: phrase(1, 2),
  description: phrase(0, 4),
  price: fc.constantFrom(0, 1, 999, 1000, 1999, 25_000),
  status: fc.constantFrom("active", "active", "draft"),
  // A gift card has a price and is not shipped, which these columns ignore.
  type: fc.constantFrom(...tables.productTypes.filter((type) => type !== "gift_card")),
  stock: fc.constantFrom(null, 0, 1, 40),
  category: fc.constantFrom(0, 1, 2, undefined),
});

/** Some 60 products with many ties in every sortable column, in three categories or none. */
export async function aShelf() {
  const categories = [await aCategory("Paper"), await aCategory("Fine Ink"), await aCategory("Lamps")];
  for (const { category, ...row } of fc.sample(columns, { numRuns: 60, seed: 4 })) {
    const categoryId = category === undefined ? null : (categories[category]?.id ?? null);
    await aProduct({ ...row, categoryId });
  }
  const rows = await db.select().from(tables.products);
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  return { rows, slugOf: (row: Row) => slugs.get(row.categoryId ?? 0) ?? null };
}

export type Filters = {
  category?: string | undefined;
  search?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  min_price?: string | undefined;
  max_price?: string | undefined;
  in_stock?: string | undefined;
  sort?: string | undefined;
};

type Shelf = Awaited<ReturnType<typeof aShelf>>;

/** The expected list in order, in plain TypeScript. */
export function naively({ rows, slugOf }: Shelf, filters: Filters, drafts: boolean): Row[] {
  const { category, search, status, type, min_price, max_price, in_stock, sort = "newest" } = filters;
  return rows
    .filter((row) => drafts || row.status === "active")
    .filter((row) => category === undefined || slugOf(row) === category)
    .filter((row) => search === undefined || isFound(row, search))
    .filter((row) => status === undefined || row.status === status)
    .filter((row) => type === undefined || row.type === type)
    .filter((row) => min_price === undefined || row.price / 100 >= Number(min_price))
    .filter((row) => max_price === undefined || row.price / 100 <= Number(max_price))
    .filter((row) => in_stock === undefined || String(!row.manageStock || (row.stockQuantity ?? 0) > 0) === in_stock)
    .toSorted(comparisons[sort]);
}

const comparisons: Record<string, (a: Row, b: Row) => number> = {
  newest: (a, b) => b.id - a.id,
  price: (a, b) => a.price - b.price || a.id - b.id,
  "-price": (a, b) => b.price - a.price || b.id - a.id,
  name: (a, b) => inOrder(a.name, b.name) || a.id - b.id,
};

/** Compares letters without their marks: those of ASCII ignoring case, and all others by code point. */
function inOrder(a: string, b: string): number {
  const [x, y] = [a, b].map((name) =>
    name
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  );
  return x === y ? 0 : (x ?? "") < (y ?? "") ? -1 : 1;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function isFound(row: Row, search: string): boolean {
  const there = wordsOf(`${row.name} ${row.sku} ${row.description}`);
  const asked = wordsOf(search);
  return (
    asked.length > 0 &&
    asked.every((word, i) => {
      const mayBegin = i === asked.length - 1 && word.length > 1;
      return there.some((other) => (mayBegin ? other.startsWith(word) : other === word));
    })
  );
}
