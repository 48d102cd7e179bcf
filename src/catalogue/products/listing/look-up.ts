import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { gtinsOf } from "../../../domain/gtin.ts";
import type { Database } from "../../../platform/db/client.ts";
import { rowsWithText } from "../../../platform/db/metadata.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import type { PageQuery } from "../../../platform/http/pagination.ts";
import { idOfSlug, selectProducts } from "../products.ts";
import type { ProductRow } from "../schemas.ts";
import { products } from "../tables.ts";
import type { LookUp } from "./query.ts";

const isOneOf = (values: readonly (string | number)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

const isLookedUp = ({ ids, slug, sku, barcode, external_id, metadata }: LookUp, drafts: boolean): SQL | undefined =>
  and(
    ids && sql`${products.id} IN ${isOneOf(ids)}`,
    slug === undefined ? undefined : sql`${products.id} = ${idOfSlug(slug)}`,
    sku && sql`${products.sku} IN ${isOneOf(sku)}`,
    barcode === undefined ? undefined : sql`${products.barcode} IN ${isOneOf(gtinsOf(barcode))}`,
    external_id === undefined ? undefined : eq(products.externalId, external_id),
    metadata === undefined ? undefined : sql`${products.id} IN (${rowsWithText("products", metadata)})`,
    // The sign keeps SQLite from reading all active products by an index of statuses.
    drafts ? undefined : sql`+${products.status} = 'active'`,
  );

/** Lists the products and variants that a query names, in the order of their ids. */
export function lookUpProducts(db: Database, query: LookUp & PageQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  const where = isLookedUp(query, drafts);
  return readPage(db, query, selectProducts(db).where(where).orderBy(asc(products.id)), products, where);
}

/** The ids of the first `most` products and variants that staff name. */
export async function lookUpProductIds(db: Database, query: LookUp, most: number): Promise<number[]> {
  const found = db.select({ id: products.id }).from(products).where(isLookedUp(query, true));
  return (await found.orderBy(asc(products.id)).limit(most)).map(({ id }) => id);
}
