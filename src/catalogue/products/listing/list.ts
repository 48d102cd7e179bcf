import type { Database } from "../../../platform/db/client.ts";
import type { PageOf } from "../../../platform/db/page.ts";
import type { ProductRow } from "../schemas.ts";
import { listAfter, listInOrder } from "./page.ts";
import type { ProductsQuery } from "./query.ts";
import { readEmptyListing, readListing } from "./read.ts";
import { isFound, listFound } from "./search.ts";
import { ofParent } from "./variants.ts";

// Each list has a covering index per sort order (src/platform/db/tables/product-lists.ts): of products, or of category_products,
// where a product stands in its category and in all above it. The index is read from its nearer end up to the page, then the
// page's products are looked up. Triggers keep totals in product_counts, and in product_price_counts for price ranges. Searches
// and lists by tag read the full-text index instead. Variants are in none of them: a product's are read by its id.

/** Returns a page of products and the total, in one round trip. */
export function listProducts(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (drafts) return list(db, query, drafts);
  const { status = "active" } = query;
  return status === "active" ? list(db, { ...query, status }, drafts) : readEmptyListing(db, query);
}

function list(db: Database, query: ProductsQuery, drafts: boolean): Promise<PageOf<ProductRow>> {
  if (query.parent_id !== undefined)
    return readListing(db, ofParent({ ...query, parent_id: query.parent_id }, { ownStatus: false }));
  if (isFound(query)) return listFound(db, query, drafts);
  return query.after_id === undefined ? listInOrder(db, query) : listAfter(db, query, query.after_id);
}
