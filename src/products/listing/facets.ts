import { matchExpression } from "../../db/search-words.ts";
import type { ProductsQuery } from "../schemas.ts";

// Every product has its status, type, stock, category and price as words in the column `facets` of products_search; the
// table products says which. What a search is narrowed by is a full-text query of these.

/** What narrows a search. */
export type SearchedFor = Pick<
  ProductsQuery,
  "search" | "status" | "type" | "in_stock" | "min_price" | "max_price" | "category"
>;

/** The full-text query for all but the category; null when the search has no word in it, which nothing matches. */
export function fullTextQuery({ search, status, type, in_stock, min_price, max_price }: SearchedFor): string | null {
  const words = search ? matchExpression(search) : "";
  if (words === null) return null;
  const stock = in_stock === undefined ? [] : [in_stock ? "qzin" : "qzout"];
  const wanted = [
    ...(words ? [`{name sku description} : (${words})`] : []),
    ...[status ? [`qz${status}`] : ["qzactive", "qzdraft"], type ? [`qz${type}`] : [], stock].filter(isSome).map(anyOf),
  ].join(" AND ");
  if (max_price !== undefined) return `(${wanted} AND ${anyOf(priceWords(min_price ?? 0, max_price))})`;
  return min_price ? `(${wanted} NOT ${anyOf(priceWords(0, min_price - 1))})` : `(${wanted})`;
}

const anyOf = (words: string[]): string => `facets : (${words.join(" OR ")})`;

const isSome = (words: string[]): boolean => words.length > 0;

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
