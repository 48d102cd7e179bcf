import { eq, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { fold } from "../../../domain/text.ts";
import { type Database, requireFirst, requireRow, runBuilt } from "../../../platform/db/client.ts";
import type { Conditions, PageOf } from "../../../platform/db/page.ts";
import { type BuiltStatement, buildStatement } from "../../../platform/db/statements.ts";
import { type PageQuery, pageOf } from "../../../platform/http/pagination.ts";
import { packedProduct, unpackProduct } from "../products.ts";
import type { ProductRow } from "../schemas.ts";
import { products } from "../tables.ts";
import type { LookUp, ProductsQuery } from "./query.ts";
import type { SearchLimiter } from "./search-limiter.ts";
import { type ProductSortOrder, sortColumns } from "./tables.ts";

/** Id of the requested category, or null if no category matches. For use in `ids` and `items`. */
export const requestedCategory = sql.raw("(SELECT category FROM asked)");

/** Ids of the requested category and its descendants. For use in `ids` and `items`. */
export const categoriesBelow = sql.raw("SELECT id FROM below");

/** Number of products in the list. For use in `ids`. */
export const listedItems = sql.raw("(SELECT items FROM list)");

/** Columns of `products`. The name in category_products is the sort name. */
export const orderBy = (order: ProductSortOrder, backwards: boolean): SQL[] =>
  sortColumns[order].map((column) =>
    sql.raw(`products.${column.replace("name ", "sort_name ")}${backwards ? " DESC" : ""}`),
  );

export type ProductListing = {
  /** The requested category or its placeholder. */
  category: string | SQL | undefined;
  /** Selects the `id` of each product of the page. */
  ids: SQL;
  orderBy: SQL[];
  /** Number of products on all pages. */
  items: SQL<number>;
  /** Values of the placeholders. */
  values?: Record<string, unknown>;
  /** Limiter that an expensive list waits for. */
  limiter?: SearchLimiter;
};

/**
 * Provides the category and the total to the rest of a statement. Materialized, because SQLite would otherwise look up the
 * category at every comparison.
 */
const withListing = ({ category, items }: Pick<ProductListing, "category" | "items">): SQL => sql`
  WITH ${category ? sql`asked AS MATERIALIZED (SELECT ${categoryId(category)} AS category), ${below},` : sql.raw("")}
    list AS MATERIALIZED (SELECT ${items} AS items, ${category ? sql`${requestedCategory} IS NOT NULL` : sql.raw("TRUE")} AS is_there)`;

const below = sql.raw(`below (id) AS (
  SELECT category FROM asked UNION ALL
  SELECT categories.id FROM below CROSS JOIN categories INDEXED BY categories_by_parent ON parent_id = below.id)`);

/** Runs a statement once the list's limiter, if any, allows it. */
async function read<Row>(db: Database, { limiter, values = {} }: ProductListing, statement: SQL): Promise<Row[]> {
  const run = () => runBuilt<Row>(db, buildStatement(statement), values);
  const { results } = await (limiter ? limiter.run(run) : run());
  return results;
}

/** Returns all ids that a list selects, in no particular order. */
export async function readListingIds(db: Database, listing: ProductListing): Promise<number[]> {
  const [row] = await read<{ found: string; is_there: number }>(
    db,
    listing,
    sql`${withListing(listing)} SELECT (SELECT json_group_array(id) FROM (${listing.ids})) AS found, is_there FROM list`,
  );
  const { found, is_there } = requireRow(row);
  if (!is_there) throw noSuchCategory();
  return JSON.parse(found);
}

/** Reads a page and its total in one statement. Throws if the statement does not find the category. */
export const readListing = async (
  db: Database,
  listing: ProductListing,
  query: PageQuery,
): Promise<PageOf<ProductRow>> => toPage(query, await read<ListedRow>(db, listing, pageStatement(listing)));

type ListedRow = { product: string | null; items: number; is_there: number };

function pageStatement(listing: ProductListing): SQL {
  const order = listing.orderBy.length > 0 ? sql`ORDER BY ${sql.join(listing.orderBy, sql.raw(", "))}` : sql.empty();
  return sql`
    ${withListing(listing)}
    SELECT ${packedProduct} AS product, items, is_there
    FROM list LEFT JOIN (SELECT id AS listed FROM (${listing.ids})) LEFT JOIN products ON products.id = listed ${order}`;
}

const built = new Map<string, BuiltStatement>();

/** Reads a page as `readListing` does. Its statement is built once for all lists of a shape, which differ in `values` only. */
export async function readListingOfShape(
  db: Database,
  { shape, values }: { shape: string; values: Record<string, unknown> },
  listing: () => ProductListing,
  query: PageQuery,
): Promise<PageOf<ProductRow>> {
  let statement = built.get(shape);
  if (!statement) {
    statement = buildStatement(pageStatement(listing()));
    built.set(shape, statement);
  }
  return toPage(query, (await runBuilt<ListedRow>(db, statement, values)).results);
}

function toPage(query: PageQuery, found: ListedRow[]): PageOf<ProductRow> {
  const { items: totalItems, is_there } = requireFirst(found);
  if (!is_there) throw noSuchCategory();
  // A page past the end is one row without a product.
  const rows = found.flatMap(({ product }) => (product === null ? [] : unpackProduct(product)));
  return { rows, ...pageOf(query, totalItems) };
}

/** Returns an empty list, or throws if its category does not exist. */
export const readEmptyListing = (
  db: Database,
  query: PageQuery & { category?: string | undefined },
): Promise<PageOf<ProductRow>> =>
  readListing(
    db,
    { category: query.category, ids: sql`SELECT NULL AS id WHERE FALSE`, orderBy: [], items: sql`0` },
    query,
  );

const noSuchCategory = () =>
  badRequest(
    fieldError(
      "category",
      "unknown_reference",
      "is not the slug, id or name of one category. Send the slug if several have the name",
    ),
  );

/**
 * Id of the requested category, found by slug, then by id, by name, and by former slug. The slug `2024` is therefore found even
 * if a category has that id. Null if no category matches, or several have the name.
 */
const categoryId = (meant: string | SQL): SQL => sql`(
  SELECT coalesce(
    (SELECT id FROM categories WHERE slug = lower(value)),
    (SELECT id FROM categories WHERE id = CAST(value AS INTEGER) AND value NOT GLOB '*[^0-9]*'),
    (SELECT iif(count(*) = 1, min(id), NULL) FROM categories WHERE name = value COLLATE NOCASE),
    (SELECT category_id FROM former_category_slugs WHERE slug = lower(value))
  ) FROM (SELECT ${meant} AS value)
)`;

/** Filters of a product list, except for search words. */
export type ProductFilters = Omit<
  ProductsQuery,
  keyof PageQuery | keyof LookUp | "after_id" | "fields" | "parent_id" | "search" | "sort"
>;

/** Conditions on `products` for all filters except the status, which decides the index a list is read from. */
export const filterConditions = ({
  category,
  tag,
  brand,
  type,
  in_stock,
  min_price,
  max_price,
}: ProductFilters): Conditions<ProductFilters, "status" | "max_price"> => ({
  category: category ? sql`${products.categoryId} IN (${categoriesBelow})` : undefined,
  tag: tag && hasTags(tag),
  brand: brand ? sql`lower(products.brand) = lower(${brand})` : undefined,
  type: type && eq(products.type, type),
  in_stock: in_stock === undefined ? undefined : eq(products.inStock, in_stock),
  min_price: costs(min_price, max_price),
});

/** True if a product has all of some tags. */
const hasTags = (names: string[]): SQL => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${JSON.stringify(names.map(fold))}) AS wanted
  WHERE NOT EXISTS (
    SELECT 1 FROM tags JOIN json_each(${products.tagIds}) AS own ON own.value = tags.id WHERE folded_name = wanted.value))`;

/** True if a product or some of its variants costs at least `least`, and it or another variant at most `most`. */
function costs(least: number | undefined, most: number | undefined): SQL | undefined {
  const notAbove = most === undefined ? sql`TRUE` : sql`products.price <= ${most}`;
  if (least === undefined) return most === undefined ? undefined : notAbove;
  return sql`ifnull(products.highest_variant_price, products.price) >= ${least} AND ${notAbove}`;
}
