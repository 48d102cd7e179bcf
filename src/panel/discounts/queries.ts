import { eq, sql } from "drizzle-orm";
import { inTreeOrder } from "../../catalogue/categories/shop-categories.ts";
import type { Database } from "../../platform/db/client.ts";
import { categories, discounts } from "../../platform/db/schema.ts";
import { indented } from "../choices.ts";

/** Maximum number of categories in the form. */
const MAX_NAMES = 200;

/** Reads a discount and the categories to choose from, in one round trip. */
export async function readDiscount(db: Database, id: number) {
  const chosen = sql`(SELECT value FROM ${discounts}, json_each(${discounts.categoryIds}) WHERE ${discounts.id} = ${id})`;
  const [[discount], choices] = await db.batch([
    db.select().from(discounts).where(eq(discounts.id, id)),
    db
      .select({ id: categories.id, path: categories.path })
      .from(categories)
      .orderBy(sql`${categories.id} IN ${chosen} DESC`, ...inTreeOrder)
      .limit(MAX_NAMES),
  ]);
  return discount && { discount, categories: choices.map(indented) };
}
