import { type SQL, sql } from "drizzle-orm";
import type { ProductsQuery } from "../schemas.ts";
import { categoryId } from "./category-queries.ts";
import { countersOf } from "./counters.ts";
import { countAll, countBelow, rootOf } from "./tree-queries.ts";

/**
 * For a WITH: `root` of the list in one order, and `span`, the places from `first` to before `past` that the query's prices
 * take in it, should it be ordered by price.
 */
export function spanOf(query: ProductsQuery, tree: string): SQL {
  const { category, min_price, max_price } = query;
  const counters = countersOf(query);
  const first = min_price === undefined ? sql`0` : countBelow(counters, min_price);
  const past = max_price === undefined ? countAll(counters) : countBelow(counters, max_price + 1);
  const list = category ? categoryId(category) : sql`0`;
  return sql`
    root AS MATERIALIZED (${rootOf(list, tree)}),
    span (first, past) AS MATERIALIZED (SELECT ${first}, ${past} FROM root)`;
}

/** How many products the query finds, on all pages, unless it searches. */
export const totalOf = (query: ProductsQuery): SQL<number> =>
  sql<number>`ifnull((WITH ${spanOf(query, "price")} SELECT past - first FROM span), 0)`;
