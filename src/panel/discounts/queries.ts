import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { inTreeOrder } from "../../catalogue/categories/shop-categories.ts";
import type { Database } from "../../platform/db/client.ts";
import { categories, discounts, products } from "../../platform/db/schema.ts";
import { indented } from "../choices.ts";

/** Maximum number of categories in the form. */
const MAX_NAMES = 200;

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
      .select({ id: categories.id, path: categories.path })
      .from(categories)
      .orderBy(sql`${categories.id} IN ${listed(discounts.categoryIds)} DESC`, ...inTreeOrder)
      .limit(MAX_NAMES),
  ]);
  return discount && { discount, products: covered, categories: choices.map(indented) };
}
