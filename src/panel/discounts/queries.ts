import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "../../platform/db/client.ts";
import { categories, discounts, products } from "../../platform/db/schema.ts";

/** Maximum number of categories in the form. */
const SHOWN = 200;

/** Reads a discount with its products and the categories to choose from, in one round trip. */
export async function readDiscount(db: Database, id: number) {
  const listed = (column: SQLiteColumn): SQL =>
    sql`(SELECT value FROM ${discounts}, json_each(${column}) WHERE ${discounts.id} = ${id})`;
  const [[discount], covered, choices] = await db.batch([
    db.select().from(discounts).where(eq(discounts.id, id)),
    db
      .select({ id: products.id, name: products.name })
      .from(products)
      .where(sql`${products.id} IN ${listed(discounts.productIds)}`)
      .orderBy(asc(products.id)),
    db
      .select({ id: categories.id, name: categories.name })
      .from(categories)
      .orderBy(sql`${categories.id} IN ${listed(discounts.categoryIds)} DESC`, asc(categories.name), asc(categories.id))
      .limit(SHOWN),
  ]);
  return discount && { discount, products: covered, categories: choices };
}

export type ReadDiscount = NonNullable<Awaited<ReturnType<typeof readDiscount>>>;
