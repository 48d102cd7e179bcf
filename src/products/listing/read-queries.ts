import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Database, one } from "../../db/client.ts";
import type { PageOf } from "../../db/page.ts";
import { badRequest, fieldError } from "../../errors.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { categoryId } from "./category-queries.ts";

/** Reads a page and its total in one round trip. A category that is not there is refused by what the same trip found. */
export async function readListing(
  db: Database,
  { category }: Pick<ProductsQuery, "category">,
  rows: BatchItem<"sqlite"> & { _: { result: ProductRow[] } },
  items: SQL<number>,
): Promise<PageOf<ProductRow>> {
  const [found, totals] = await db.batch([
    rows,
    db.select({ items, isThere: isThere(category) }).from(sql`(SELECT 1)`),
  ]);
  const total = one(totals);
  if (!total.isThere) throw noSuchCategory();
  return { rows: found, totalItems: total.items, totalIsExact: true };
}

/** A list that is empty whatever there is, unless its category is not there. */
export async function readNothing(db: Database, { category }: ProductsQuery): Promise<PageOf<ProductRow>> {
  const found = category ? await db.select({ isThere: isThere(category) }).from(sql`(SELECT 1)`) : [];
  if (found.some(({ isThere }) => !isThere)) throw noSuchCategory();
  return { rows: [], totalItems: 0, totalIsExact: true };
}

const isThere = (category: string | undefined): SQL<boolean> =>
  category ? sql`${categoryId(category)} IS NOT NULL`.mapWith(Boolean) : sql`TRUE`.mapWith(Boolean);

const noSuchCategory = () =>
  badRequest(fieldError("category", "unknown_reference", "is no category's slug, id or name"));
