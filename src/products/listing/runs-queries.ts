import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { productStatuses, products } from "../../db/schema.ts";
import type { ProductsQuery } from "../schemas.ts";
import type { Sort } from "../sorts.ts";
import { categoryId } from "./category-queries.ts";

type Order = { tree: "newest" | "price" | "name"; backwards: boolean; by: () => SQL[] };

/**
 * Which of the trees counts in an order, whether the order runs against it, and its terms: made for each statement, since
 * Drizzle's unionAll writes into those that it is given. Ids only ever grow, so the newest products have the greatest; and
 * the full-text index reads in their order without sorting.
 */
export const orders: Record<Sort, Order> = {
  newest: { tree: "newest", backwards: true, by: () => [desc(products.id)] },
  price: { tree: "price", backwards: false, by: () => [asc(products.price), asc(products.id)] },
  "-price": { tree: "price", backwards: true, by: () => [desc(products.price), desc(products.id)] },
  name: { tree: "name", backwards: false, by: () => [sql`${products.name} COLLATE NOCASE`, asc(products.id)] },
};

/**
 * For each status and stock the rows of a list stand in a run of an index, in every order. D1 takes up to five runs into
 * one statement, and reads each only as far as it is asked to.
 */
export function runsOf({ status, in_stock, type, category }: ProductsQuery): (SQL | undefined)[] {
  const statuses = status ? [status] : productStatuses;
  const soldOut = in_stock === undefined ? [false, true] : [!in_stock];
  const list = [type && eq(products.type, type), category ? eq(products.categoryId, categoryId(category)) : undefined];
  return statuses.flatMap((one) =>
    soldOut.map((out) => and(eq(products.status, one), eq(products.soldOut, out), ...list)),
  );
}
