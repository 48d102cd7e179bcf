import { asc, sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { products } from "../../../platform/db/schema.ts";
import { selectProducts } from "../products.ts";
import type { ProductRow } from "../schemas.ts";

/** A product that can be bought: one without options, or a variant. */
export type ItemForSale = ProductRow;

/**
 * Reads the next active products without options and active variants, in the order of ids. The sign keeps SQLite from walking an
 * index of statuses, which it would have to sort.
 */
export const readItemsForSale = (
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<ItemForSale[]> =>
  selectProducts(db)
    .where(sql`${products.id} > ${after} AND +${products.status} = 'active' AND ${products.options} = '[]'`)
    .orderBy(asc(products.id))
    .limit(limit);
