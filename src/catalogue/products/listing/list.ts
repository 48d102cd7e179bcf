import type { Database } from "../../../platform/db/client.ts";
import type { PageOf } from "../../../platform/db/page.ts";
import type { ProductRow, ProductsQuery } from "../schemas.ts";
import { listAfter, listInOrder } from "./page.ts";
import { readEmptyListing } from "./read.ts";
import { listFound } from "./search.ts";

// How a page comes about: each list has a covering index for each order (src/platform/db/tables/product-lists.ts), which is read from
// its nearer end up to the page, then the page's products are looked up. The total is kept by triggers in product_counts, or
// of a range of prices in product_price_counts. What is searched for is read from the full-text index instead.

/** A page of products and how many there are in all, in one round trip. */
export function listProducts(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (drafts) return list(db, query);
  const { status = "active" } = query;
  return status === "active" ? list(db, { ...query, status }) : readEmptyListing(db, query);
}

function list(db: Database, query: ProductsQuery): Promise<PageOf<ProductRow>> {
  if (query.search) return listFound(db, query);
  return query.after_id === undefined ? listInOrder(db, query) : listAfter(db, query, query.after_id);
}
