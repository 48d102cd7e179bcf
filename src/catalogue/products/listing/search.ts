import { type SQL, sql } from "drizzle-orm";
import { fold } from "../../../domain/text.ts";
import type { Database } from "../../../platform/db/client.ts";
import { limitTo, MAX_FOUND, type PageOf } from "../../../platform/db/page.ts";
import { productExpression, similarExpression } from "../../../platform/db/product-words.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { ProductRow } from "../schemas.ts";
import { products } from "../tables.ts";
import { type ProductsQuery, sortOrderOf } from "./query.ts";
import { categoriesBelow, orderBy, type ProductListing, readListing } from "./read.ts";
import { SearchLimiter } from "./search-limiter.ts";
import { type ProductStatus, type ProductType, productStatuses } from "./tables.ts";

// The `facets` column of products_search holds each product's status, type, stock, category, tags, brand and price as words; the products
// table defines them. Search filters are full-text queries for these words.

/** Filters that a search can have. */
export type SearchedFor = Pick<
  ProductsQuery,
  "search" | "status" | "type" | "in_stock" | "min_price" | "max_price" | "category" | "tag" | "brand"
>;

/** True for lists that are read from the full-text index: those with more than a category and a status. */
export const isFound = ({ search, brand, tag, type, in_stock, min_price, max_price }: SearchedFor): boolean =>
  Boolean(search || brand) || [tag, type, in_stock, min_price, max_price].some((filter) => filter !== undefined);

/**
 * Full-text query for all filters except the category and tags, or null if the search contains no word and so matches nothing. Most
 * products are active and in stock, so excluding the others reads less than matching these.
 */
function fullTextQuery(
  { search, status, type, brand, in_stock, min_price, max_price }: SearchedFor,
  drafts: boolean,
  words = search ? productExpression(search) : "",
): string | null {
  if (words === null) return null;
  const facets = [
    ...(status && status !== "active" ? [wordOf(status)] : []),
    ...(type ? [wordOf(type)] : []),
    ...(brand ? [wordOfBrand(brand)] : []),
    ...(in_stock === false ? ["qzout"] : []),
  ];
  const low = min_price ?? 0;
  const wanted = [
    words
      ? `{name sku brand barcode description folded_words variant_words${drafts ? " draft_words" : ""}} : (${words})`
      : anyOf(productStatuses.map(wordOf)),
    ...facets.map((word) => anyOf([word])),
    ...(max_price === undefined ? [] : [overlapping(low, max_price)]),
  ];
  const unwanted = [
    ...(status === "active" ? productStatuses.filter((other) => other !== status).map(wordOf) : []),
    ...(in_stock ? ["qzout"] : []),
  ];
  const excluded = [
    ...(unwanted.length > 0 ? [anyOf(unwanted)] : []),
    ...(max_price === undefined && low > 0 ? [below(low)] : []),
  ];
  return `((${wanted.join(" AND ")})${excluded.map((words) => ` NOT (${words})`).join("")})`;
}

/** Products that cost at least `low` in some variant and at most `high` in some variant. */
function overlapping(low: number, high: number): string {
  const inside = anyOf(priceWords("qzp", low, high));
  return low > 0
    ? `(${inside} OR ((${anyOf(priceWords("qzp", 0, low - 1))} AND ${HAS_RANGE}) NOT ${endingBelow(low)}))`
    : inside;
}

/** Products that cost less than `low` in every variant. */
const below = (low: number): string =>
  `(${anyOf(priceWords("qzp", 0, low - 1))} NOT ${HAS_RANGE}) OR ${endingBelow(low)}`;

/** Products with several prices, all of them less than `low`. */
const endingBelow = (low: number): string => anyOf(priceWords("qzh", 0, low - 1));

const wordOf = (value: ProductStatus | ProductType): string => `qz${value}`;

/** The bytes of a brand in hex, as in `facets`: one word for any name. */
const wordOfBrand = (brand: string): string => {
  const bytes = new TextEncoder().encode(brand.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return `qzb${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

const anyOf = (words: string[]): string => `facets : (${words.join(" OR ")})`;

const HAS_RANGE = anyOf(["qzrange"]);

const DIGITS = 9;

/**
 * Words for all prices from `low` to `high`, in minor units: lowest prices, or highest ones of products with several. One word covers a whole decade. A range between round prices
 * takes few words (10 to 50 takes five); the worst takes about 160.
 */
function priceWords(prefix: "qzp" | "qzh", low: number, high: number): string[] {
  const words: string[] = [];
  let [from, to] = [low, high];
  for (let cut = 0; from <= to; cut++) {
    const whole = cut < DIGITS - 1;
    while (from <= to && !(whole && from % 10 === 0)) words.push(`${prefix}${cut}x${from++}`);
    while (from <= to && whole && to % 10 !== 9) words.push(`${prefix}${cut}x${to--}`);
    [from, to] = [from / 10, (to - 9) / 10];
  }
  return words;
}

/** Shared by all product searches of this isolate, because any of them may read thousands of matches. */
const limiter = new SearchLimiter();

/**
 * Returns a page of search results and their total, which the full-text index counts without reading products. If no product has
 * the typed words, returns those with words that differ by a letter.
 */
export async function listFound(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  const found = await readFound(db, query, matching(query, drafts));
  const similar = query.search && found.totalItems === 0 ? similarExpression(query.search) : null;
  if (similar === null) return found;
  const { search, status } = query;
  const nothing = sql`NOT EXISTS (SELECT 1 FROM products_search WHERE ${matching({ search, status }, drafts)})`;
  return readFound(db, query, sql`${matching(query, drafts, similar)} AND ${nothing}`);
}

async function readFound(db: Database, query: ProductsQuery, match: SQL): Promise<PageOf<ProductRow>> {
  const found = await readListing(db, ofMatches(query, match), query);
  const totalIsExact = found.totalItems <= MAX_FOUND;
  return { ...found, totalItems: Math.min(found.totalItems, MAX_FOUND), totalIsExact };
}

export const ofFound = (query: ProductsQuery, drafts: boolean): ProductListing =>
  ofMatches(query, matching(query, drafts));

function ofMatches(query: ProductsQuery, match: SQL): ProductListing {
  const { order, backwards } = sortOrderOf[query.sort];
  return {
    category: query.category,
    ids: idsOf(query, match, orderBy(order, backwards)),
    orderBy: orderBy(order, backwards),
    items: sql<number>`(SELECT count(*) FROM (SELECT 1 ${searched(match)} ${limitTo(MAX_FOUND + 1)}))`,
    limiter,
  };
}

/** Condition on products_search for a query. With `drafts`, variants that are drafts are searched too. `words` take the place of the typed ones. */
export function matching(query: SearchedFor, drafts: boolean, words?: string): SQL {
  const text = fullTextQuery(query, drafts, words);
  if (text === null) return sql`FALSE`;
  const inCategory = query.category
    ? sql`|| ' AND facets : (' || ifnull((SELECT group_concat('qzc' || id, ' OR ') FROM (${categoriesBelow})), 'qzc0') || ')'`
    : sql.empty();
  const withTags = query.tag ? sql`|| ${wordsOfTags(query.tag)}` : sql.empty();
  return sql`products_search MATCH (${text} ${inCategory} ${withTags})`;
}

/** Words of all tags. An unknown tag matches no product. */
const wordsOfTags = (names: string[]): SQL => sql`(
  SELECT group_concat(' AND facets : qzt' || ifnull(tags.id, 0), '')
  FROM json_each(${JSON.stringify(names.map(fold))}) LEFT JOIN tags ON folded_name = value)`;

const searched = (match: SQL): SQL => sql`FROM products_search WHERE ${match}`;

/** Selects the newest matches. The index is in id order, so nothing beyond the last match is read. */
const newest = (match: SQL, limit: number, offset = 0): SQL =>
  sql`SELECT rowid AS id ${searched(match)} ORDER BY rowid DESC ${limitTo(limit, offset)}`;

function idsOf(query: ProductsQuery, match: SQL, order: SQL[]): SQL {
  const { limit, offset } = limitAndOffset(query);
  if (query.sort === "newest") return newest(match, Math.max(0, Math.min(limit, MAX_FOUND - offset)), offset);
  return sql`
    SELECT ${products.id} FROM (${newest(match, MAX_FOUND)}) AS found CROSS JOIN ${products} ON ${products.id} = found.id
    ORDER BY ${sql.join(order, sql`, `)} ${limitTo(limit, offset)}`;
}
