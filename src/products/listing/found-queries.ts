import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, one } from "../../db/client.ts";
import type { PageOf } from "../../db/page.ts";
import { products } from "../../db/schema.ts";
import { slice } from "../../http/pagination.ts";
import { productFields } from "../queries.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { fullTextQuery } from "./facets.ts";
import { orders } from "./runs-queries.ts";
import { categoryId } from "./span-queries.ts";

/** A page of what is searched for, and how many that is: the index counts without a look at the products. */
export async function listFound(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  const match = matching(query);
  const [rows, totals] = await db.batch([
    selectPage(db, query.sort === "newest" ? newestOf(match, query) : sortedOf(match, query)).orderBy(
      ...orders[query.sort].by(),
    ),
    db.select({ items: sql<number>`(SELECT count(*) FROM products_search WHERE ${match})` }).from(sql`(SELECT 1)`),
  ]);
  return { rows, totalItems: one(totals).items };
}

/** The condition on products_search that a query makes. */
export function matching(query: ProductsQuery): SQL {
  const text = fullTextQuery(query);
  if (text === null) return sql`FALSE`;
  if (!query.category) return sql`products_search MATCH ${text}`;
  return sql`products_search MATCH (${text} || ' AND facets : qzc' || ifnull(${categoryId(query.category)}, 0))`;
}

/** The records of the products whose ids are given. */
export const selectPage = (db: Database, ids: SQL) =>
  db.select(productFields()).from(sql`(${ids}) AS page`).innerJoin(products, eq(products.id, sql`page.id`));

/** No more matches are read than the page needs: the index has them in the order of their ids. */
function newestOf(match: SQL, query: ProductsQuery): SQL {
  const { limit, offset } = slice(query);
  return sql`SELECT rowid AS id FROM products_search WHERE ${match} ORDER BY rowid DESC LIMIT ${limit} OFFSET ${offset}`;
}

function sortedOf(match: SQL, query: ProductsQuery): SQL {
  const { limit, offset } = slice(query);
  return sql`
    SELECT ${products.id} FROM products_search JOIN ${products} ON ${products.id} = products_search.rowid WHERE ${match}
    ORDER BY ${sql.join(orders[query.sort].by(), sql`, `)} LIMIT ${limit} OFFSET ${offset}`;
}
