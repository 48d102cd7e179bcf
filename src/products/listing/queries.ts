import type { Database } from "../../db/client.ts";
import type { PageOf } from "../../db/page.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { listFound } from "./found-queries.ts";
import { inTurn } from "./in-turn.ts";
import { listInOrder } from "./page-queries.ts";
import { listInRange } from "./ranged-queries.ts";
import { readNothing } from "./read-queries.ts";
import { orders } from "./runs-queries.ts";

// How a page comes about, at the same cost wherever it is. The total is a counter at the root of the list's tree, or the
// difference of two where prices are narrowed (span-queries.ts). The page's first product stands at a place that is known,
// and is found in the tree by one row a level (tree-queries.ts). From there on the rows are read side by side from the
// indexes of the list (runs-queries.ts, page-queries.ts). Two kinds of lists have no tree of their own and are read from
// the full-text index: those that search (found-queries.ts), and a range of prices in another order (ranged-queries.ts).

/** A page of products and how many there are in all, in one round trip. */
export function listProducts(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (drafts) return list(db, query);
  if (query.status === "draft") return readNothing(db, query);
  return list(db, { ...query, status: "active" });
}

function list(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  if (query.search) return inTurn(() => listFound(db, query));
  const ranged = query.min_price !== undefined || query.max_price !== undefined;
  return ranged && orders[query.sort].tree !== "price" ? inTurn(() => listInRange(db, query)) : listInOrder(db, query);
}
