import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { limitTo, MAX_FOUND, type PageOf } from "../../../platform/db/page.ts";
import { matchExpression } from "../../../platform/db/search-words.ts";
import { type ProductStatus, type ProductType, productStatuses } from "../../../platform/db/tables/product-lists.ts";
import { products } from "../../../platform/db/tables/products.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import { type ProductRow, type ProductsQuery, sortOrderOf } from "../schemas.ts";
import { orderBy } from "./page.ts";
import { type Listing, readListing, requestedCategory } from "./read.ts";
import { SearchLimiter } from "./search-limiter.ts";

// Every product has its status, type, stock, category and price as words in the column `facets` of products_search; the
// table products says which. What a search is narrowed by is a full-text query of these.

/** What narrows a search. */
type SearchedFor = Pick<
  ProductsQuery,
  "search" | "status" | "type" | "in_stock" | "min_price" | "max_price" | "category"
>;

/**
 * The full-text query for all but the category; null when the search has no word in it, which nothing matches. Most products are
 * active and in stock, so those that are not are left out, which reads less than looking for those that are.
 */
function fullTextQuery({ search, status, type, in_stock, min_price, max_price }: SearchedFor): string | null {
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

/** Of all lists of products that this isolate searches: any of them may read thousands of matches. */
const limiter = new SearchLimiter();

/** A page of what is searched for, and how many that is: the index counts without a look at the products. */
export async function listFound(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const found = await readListing(db, ofFound(query));
  const totalIsExact = found.totalItems <= MAX_FOUND;
  return { ...found, totalItems: Math.min(found.totalItems, MAX_FOUND), totalIsExact };
}

export function ofFound(query: ProductsQuery): Listing {
  const { order, backwards } = sortOrderOf[query.sort];
  return {
    category: query.category,
    ids: idsOf(query, orderBy(order, backwards)),
    orderBy: orderBy(order, backwards),
    items: sql<number>`(SELECT count(*) FROM (SELECT 1 ${searched(matching(query))} ${limitTo(MAX_FOUND + 1)}))`,
    limiter,
  };
}

/** The condition on products_search that a query makes. */
export function matching(query: SearchedFor): SQL {
  const text = fullTextQuery(query);
  if (text === null) return sql`FALSE`;
  if (!query.category) return sql`products_search MATCH ${text}`;
  return sql`products_search MATCH (${text} || ' AND facets : qzc' || ifnull(${requestedCategory}, 0))`;
}

const searched = (match: SQL): SQL => sql`FROM products_search WHERE ${match}`;

/** The newest matches: the index has them in the order of their ids, and none is read beyond the last one. */
const newest = (match: SQL, limit: number, offset = 0): SQL =>
  sql`SELECT rowid AS id ${searched(match)} ORDER BY rowid DESC ${limitTo(limit, offset)}`;

function idsOf(query: ProductsQuery, order: SQL[]): SQL {
  const { limit, offset } = limitAndOffset(query);
  const match = matching(query);
  if (query.sort === "newest") return newest(match, Math.max(0, Math.min(limit, MAX_FOUND - offset)), offset);
  return sql`
    SELECT ${products.id} FROM (${newest(match, MAX_FOUND)}) AS found CROSS JOIN ${products} ON ${products.id} = found.id
    ORDER BY ${sql.join(order, sql`, `)} ${limitTo(limit, offset)}`;
}
