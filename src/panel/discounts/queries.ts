import { eq, inArray, sql } from "drizzle-orm";
import { inTreeOrder } from "../../catalogue/categories/shop-categories.ts";
import type { Database } from "../../platform/db/client.ts";
import { categories, discounts } from "../../platform/db/schema.ts";
import { indented } from "../choices.ts";

/** Maximum number of categories in the form, which has the chosen ones. */
const MAX_NAMES = 200;

/** Reads a discount and the categories to choose from, in one round trip. */
export async function readDiscount(db: Database, id: number) {
  const chosen = sql`(SELECT value FROM ${discounts}, json_each(${discounts.categoryIds}) WHERE ${discounts.id} = ${id})`;
  const shown = db
    .select({ id: categories.id })
    .from(categories)
    .orderBy(sql`${categories.id} IN ${chosen} DESC`, ...inTreeOrder)
    .limit(MAX_NAMES);
  const [[discount], choices] = await db.batch([
    db.select().from(discounts).where(eq(discounts.id, id)),
    db
      .select({ id: categories.id, path: categories.path })
      .from(categories)
      .where(inArray(categories.id, shown))
      .orderBy(...inTreeOrder),
  ]);
  return discount && { discount, categories: choices.map(indented) };
}
