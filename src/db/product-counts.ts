import { type SQL, sql } from "drizzle-orm";
import { productStatuses, productTypes } from "./schema.ts";

/** Where a node of listing_nodes counts the products of each status: after those of each kind (0014_listing_rules.sql). */
const OF_STATUS = productStatuses.length * productTypes.length * 2;

/** How many products a category has, of one status or of all: the root of its tree knows, so each costs a row. */
export function productsIn(categoryId: SQL, statuses: readonly (typeof productStatuses)[number][]): SQL<number> {
  const counts = statuses.map(
    (status) => sql`ifnull(upto ->> ${`$[${OF_STATUS + productStatuses.indexOf(status)}][#-1]`}, 0)`,
  );
  return sql<number>`ifnull((
    SELECT ${sql.join(counts, sql` + `)} FROM listing_nodes
    WHERE category_id = ${categoryId} AND sort = 'newest' ORDER BY height DESC LIMIT 1
  ), 0)`;
}
