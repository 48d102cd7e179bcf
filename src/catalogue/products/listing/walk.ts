import { and, asc, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { type Conditions, limitTo, MAX_FOUND, newestMatching, type PageOf } from "../../../platform/db/page.ts";
import { productExpression } from "../../../platform/db/product-words.ts";
import { products, stockIsLow, stockIsManaged } from "../../../platform/db/schema.ts";
import { hasCursor, limitAndOffset } from "../../../platform/http/pagination.ts";
import type { AllProductFilters, AllProductsQuery } from "../admin-schemas.ts";
import type { ProductRow } from "../schemas.ts";
import { listFollowing } from "./following.ts";
import { hasShownStatus, idsAfter, inOrder, isListedFor, listProducts, ofParent } from "./list.ts";
import { lookUpProductIds } from "./look-up.ts";
import { looksUp, sortOrderOf } from "./query.ts";
import { filterConditions, orderBy, type ProductListing, readListing, readListingIds } from "./read.ts";
import { isFound, matching, ofFound } from "./search.ts";

/** Ids are small, so many are read at a time. */
const IDS = 10_000;

/**
 * Yields the ids after an id of a list's products and their variants, in id order. A variant is always created after
 * its product.
 */
export async function* walkProductIds(db: Database, query: AllProductFilters, afterId = 0): AsyncGenerator<number[]> {
  const every = everyRow(query);
  const idsIn = (ids: SQL) => readListingIds(db, { category: query.category, ids, orderBy: [], items: sql`0` });
  const waiting = new WaitingIds();
  for (let after: number | undefined = every ? afterId : 0; after !== undefined; ) {
    const found: number[] = await idsIn(
      every
        ? idsOfRows(every, after)
        : sql`SELECT * FROM (${idsAfter(query, { after, limit: IDS, drafts: true })}) ${orAnyVariant}`,
    );
    const listed: number[] = found.filter((id) => id !== ANY_VARIANT);
    waiting.add(listed);
    if (listed.length < found.length && listed.length > 0) waiting.add(await idsIn(variantsOf(listed)));
    after = listed.length < IDS ? undefined : listed.at(-1);
    yield waiting.upTo(after ?? Number.POSITIVE_INFINITY).filter((id) => id > afterId);
  }
}

/** Condition for lists that have a row for each variant, or that omit no product. Undefined for other lists. */
function everyRow(query: AllProductFilters): SQL | undefined {
  const { low_stock, sort, parent_id, ...filters } = query;
  const stock = low_stock ? stockIsLow : sort === "stock" ? stockIsManaged : undefined;
  if (stock || parent_id !== undefined) return and(sql`TRUE`, stock, ...conditions(query, foundBySearch(query)));
  return Object.values(filters).every((value) => value === undefined || value === "") ? sql`TRUE` : undefined;
}

const idsOfRows = (where: SQL, after: number): SQL =>
  sql`SELECT id FROM products NOT INDEXED WHERE ${where} AND id > ${after} ORDER BY id LIMIT ${IDS}`;

/** Appears in a list of ids if the shop has any variant. */
const ANY_VARIANT = 0;
const orAnyVariant = sql`UNION ALL
  SELECT ${ANY_VARIANT} WHERE EXISTS (SELECT 1 FROM products INDEXED BY products_by_parent WHERE parent_id IS NOT NULL)`;

const variantsOf = (ids: number[]): SQL => sql`
  SELECT variant.id FROM json_each(${JSON.stringify(ids)}) AS product
  CROSS JOIN products AS variant INDEXED BY products_by_parent ON variant.parent_id = product.value`;

/**
 * Ids of variants that are greater than those of the products read so far, in ranges, so that each range is sorted
 * once.
 */
class WaitingIds {
  readonly #ranges = new Map<number, number[]>();

  add(ids: number[]): void {
    for (const id of ids) {
      const range = Math.floor(id / IDS);
      const found = this.#ranges.get(range);
      if (found) found.push(id);
      else this.#ranges.set(range, [id]);
    }
  }

  /** Removes the ids up to `last`, and returns them in order. */
  upTo(last: number): number[] {
    const ranges = [...this.#ranges.keys()].filter((range) => range * IDS <= last).sort((a, b) => a - b);
    return ranges.flatMap((range) => {
      const ids = this.#ranges.get(range) ?? [];
      this.#ranges.delete(range);
      this.add(ids.filter((id) => id > last));
      return ids.filter((id) => id <= last).sort((a, b) => a - b);
    });
  }
}

/** Lists all products, including drafts: one page, or the products after a cursor. */
export function adminListProducts(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  if (hasCursor(query)) return listFollowing(db, query);
  const { low_stock, sort, parent_id, ...others } = query;
  if (low_stock || sort === "stock") return listByStock(db, query);
  if (parent_id !== undefined)
    return readListing(db, ofParent({ ...others, sort, parent_id }, { ownStatus: true }), query);
  return listProducts(db, { ...others, sort }, true);
}

/** Returns the ids of the list's first `most` rows. */
export function readProductIds(db: Database, query: AllProductsQuery, most: number): Promise<number[]> {
  if (looksUp(query)) return lookUpProductIds(db, query, most);
  const { low_stock, sort, parent_id, ...others } = query;
  const first = { page: 1, per_page: most };
  if (low_stock || sort === "stock") return readListingIds(db, byStock({ ...query, ...first }));
  const plain = { ...others, sort, ...first };
  if (parent_id !== undefined) return readListingIds(db, ofParent({ ...plain, parent_id }, { ownStatus: true }));
  return readListingIds(db, isFound(query) ? ofFound(plain, true) : inOrder(plain));
}

/**
 * Lists active products with managed or low stock, from the 10,000 with the least stock, which an index keeps in order.
 * Filtering and sorting only these bounds the rows read.
 */
const listByStock = (db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> =>
  readListing(db, byStock(query), query);

function byStock(query: AllProductsQuery): ProductListing {
  const order = orderOfQuery(query);
  const { limit, offset } = limitAndOffset(query);
  const among = sql`
    FROM (
      SELECT id FROM products WHERE ${query.low_stock ? stockIsLow : stockIsManaged}
      ORDER BY stock_quantity, id ${limitTo(MAX_FOUND)}
    ) AS least CROSS JOIN ${products} ON ${products.id} = least.id
    WHERE ${and(sql`TRUE`, ...conditions(query, query.search && newestMatching(sql`products_search`, productExpression(query.search))))}`;
  return {
    category: query.category,
    ids: sql`
      SELECT ${products.id} ${among} ORDER BY ${sql.join(order, sql`, `)} ${limitTo(limit, offset)}`,
    orderBy: order,
    items: sql<number>`(SELECT count(*) ${among})`,
  };
}

function orderOfQuery({ sort }: AllProductsQuery): SQL[] {
  if (sort === "stock") return [asc(products.stockQuantity), asc(products.id)];
  const { order, backwards } = sortOrderOf[sort];
  return orderBy(order, backwards);
}

const foundBySearch = ({ search }: AllProductFilters): SQL | undefined =>
  search ? sql`SELECT rowid FROM products_search WHERE ${matching({ search }, true)}` : undefined;

/** Conditions for all filters of a list that may contain variants, which the search finds through their products. */
function conditions(query: AllProductFilters, found: SQL | "" | undefined): (SQL | undefined)[] {
  const { parent_id } = query;
  const each = {
    status: hasShownStatus(query),
    ...filterConditions(query),
    parent_id: parent_id === undefined ? undefined : isListedFor(parent_id),
    search: found ? sql`ifnull(products.parent_id, products.id) IN (${found})` : undefined,
  } satisfies Conditions<AllProductFilters, "low_stock" | "max_price" | "sort">;
  return Object.values(each);
}
