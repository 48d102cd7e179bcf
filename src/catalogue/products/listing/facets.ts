import { matchExpression } from "../../../platform/db/search-words.ts";
import { type ProductStatus, type ProductType, productStatuses } from "../../../platform/db/tables/product-lists.ts";
import type { ProductsQuery } from "../schemas.ts";

// Every product has its status, type, stock, category and price as words in the column `facets` of products_search; the
// table products says which. What a search is narrowed by is a full-text query of these.

/** What narrows a search. */
export type SearchedFor = Pick<
  ProductsQuery,
  "search" | "status" | "type" | "in_stock" | "min_price" | "max_price" | "category"
>;

/**
 * The full-text query for all but the category; null when the search has no word in it, which nothing matches. Most products are
 * active and in stock, so those that are not are left out, which reads less than looking for those that are.
 */
export function fullTextQuery({ search, status, type, in_stock, min_price, max_price }: SearchedFor): string | null {
  const words = search ? matchExpression(search) : "";
  if (words === null) return null;
  const facets = [
    ...(status && status !== "active" ? [wordOf(status)] : []),
    ...(type ? [wordOf(type)] : []),
    ...(in_stock === false ? ["qzout"] : []),
  ];
  const wanted = [
    words ? `{name sku description folded_words} : (${words})` : anyOf(productStatuses.map(wordOf)),
    ...facets.map((word) => anyOf([word])),
    ...(max_price === undefined ? [] : [anyOf(priceWords(min_price ?? 0, max_price))]),
  ];
  const unwanted = [
    ...(status === "active" ? productStatuses.filter((other) => other !== status).map(wordOf) : []),
    ...(in_stock ? ["qzout"] : []),
    ...(max_price === undefined && min_price ? priceWords(0, min_price - 1) : []),
  ];
  return `((${wanted.join(" AND ")})${unwanted.length > 0 ? ` NOT ${anyOf(unwanted)}` : ""})`;
}

const wordOf = (value: ProductStatus | ProductType): string => `qz${value}`;

const anyOf = (words: string[]): string => `facets : (${words.join(" OR ")})`;

const DIGITS = 9;

/**
 * The words of all prices from `low` to `high`, minor units: whole decades of a decade by one word. A range between round
 * prices takes few, 10 to 50 five of them; the worst takes some 160.
 */
function priceWords(low: number, high: number): string[] {
  const words: string[] = [];
  let [from, to] = [low, high];
  for (let cut = 0; from <= to; cut++) {
    const whole = cut < DIGITS - 1;
    while (from <= to && !(whole && from % 10 === 0)) words.push(`qzp${cut}x${from++}`);
    while (from <= to && whole && to % 10 !== 9) words.push(`qzp${cut}x${to--}`);
    [from, to] = [from / 10, (to - 9) / 10];
  }
  return words;
}
