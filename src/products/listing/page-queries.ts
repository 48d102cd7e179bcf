import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { cursorPage, onePastPage } from "../../db/cursor.ts";
import type { PageOf } from "../../db/page.ts";
import { limitAndOffset } from "../../http/pagination.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { sortOrderOf } from "../sorts.ts";
import { fromIndex, hasRange, itemsOf, orderBy } from "./index-queries.ts";
import { type Listing, listedItems, readListing } from "./read-queries.ts";

/** A page whose offset is greater is read from the nearer end of the list: D1 bills each row that is skipped. */
const DEEP_OFFSET = 200;

/** A range of prices of no more products is sorted in less time than the index of another order is searched for them. */
const SMALL_RANGE = 2_000;

/** A page of products in the order of an index. */
export const listInOrder = (db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> =>
  readListing(db, inOrder(query));

export function inOrder(query: ProductsQuery): Listing {
  const { order, backwards } = sortOrderOf[query.sort];
  return {
    category: query.category,
    ids: idsOf(query),
    orderBy: orderBy(order, backwards),
    items: itemsOf(query),
  };
}

/** Products from an id on, in the order of ids: a walk through everything that skips nothing and counts nothing. */
export async function listAfter(db: Database, query: ProductsQuery, id: number): Promise<PageOf<ProductRow>> {
  const { rows } = await readListing(db, {
    category: query.category,
    ids: sql`SELECT id ${fromIndex(query, "newest")} AND id > ${id} ORDER BY id LIMIT ${onePastPage(query)}`,
    orderBy: orderBy("newest", false),
    items: sql`0`,
  });
  return cursorPage(query, rows, ({ updatedAt }) => updatedAt);
}

function idsOf(query: ProductsQuery): SQL {
  const { order, backwards } = sortOrderOf[query.sort];
  const { limit, offset } = limitAndOffset(query);
  const isScattered = hasRange(query) && order !== "price";
  const walk = (reversed: boolean, take: SQL, skip: SQL, index = order) => sql`
    SELECT id ${fromIndex(query, index)}
    ORDER BY ${sql.join(orderBy(order, backwards !== reversed), sql`, `)} LIMIT ${take} OFFSET ${skip}`;
  if (offset <= DEEP_OFFSET && !isScattered) return walk(false, sql`${limit}`, sql`${offset}`);
  const rest = sql`${listedItems} - ${offset}`;
  const isSmall = isScattered ? sql`${listedItems} <= ${SMALL_RANGE}` : sql`FALSE`;
  const isNearEnd = sql`${offset} > ${DEEP_OFFSET} AND ${offset} > ${listedItems} / 2`;
  const when = (way: SQL, take: SQL) => sql`iif(${way}, ${take}, 0)`;
  const ways = [
    walk(false, when(sql`NOT (${isSmall}) AND NOT (${isNearEnd})`, sql`${limit}`), sql`${offset}`),
    walk(
      true,
      when(sql`NOT (${isSmall}) AND ${isNearEnd}`, sql`max(0, min(${limit}, ${rest}))`),
      sql`max(0, ${rest} - ${limit})`,
    ),
    ...(isScattered ? [walk(false, when(isSmall, sql`${limit}`), sql`${offset}`, "price")] : []),
  ];
  return sql.join(
    ways.map((way) => sql`SELECT id FROM (${way})`),
    sql` UNION ALL `,
  );
}
