import { and, eq } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "../../platform/db/client.ts";
import { afterCursor, cursorPage, onePastPage } from "../../platform/db/cursor.ts";
import type { PageOf } from "../../platform/db/page.ts";
import { products } from "../../platform/db/schema.ts";
import { hasCursor } from "../../platform/http/cursor.ts";
import type { AllProductsQuery } from "./admin-schemas.ts";
import { byStock, listByStock } from "./listing/by-stock-queries.ts";
import { filterConditions } from "./listing/filter-queries.ts";
import { ofFound } from "./listing/found-queries.ts";
import { inOrder } from "./listing/page-queries.ts";
import { listProducts } from "./listing/queries.ts";
import { readIds } from "./listing/read-queries.ts";
import { selectProducts } from "./queries.ts";
import type { ProductRow } from "./schemas.ts";

/** Every product, drafts too: a page of them, or what follows a cursor. */
export function listAllProducts(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  if (hasCursor(query)) return listFollowing(db, query);
  const { low_stock, sort, ...others } = query;
  if (low_stock || sort === "stock") return listByStock(db, query);
  return listProducts(db, { ...others, sort }, true);
}

/** The ids of the list's first rows, `most` of them. */
export function readListedIds(db: Database, query: AllProductsQuery, most: number): Promise<number[]> {
  const { low_stock, sort, ...others } = query;
  const first = { page: 1, per_page: most };
  if (low_stock || sort === "stock") return readIds(db, byStock({ ...query, ...first }));
  const plain = { ...others, sort, ...first };
  return readIds(db, query.search ? ofFound(plain) : inOrder(plain));
}

/** Products from a cursor on. A sale is no change of a product: `updated_at` dates edits. */
async function listFollowing(db: Database, query: AllProductsQuery): Promise<PageOf<ProductRow>> {
  const { runs, orderBy } = afterCursor(query, { id: products.id, changedAt: products.updatedAt });
  const { status } = query;
  const narrowed = [status && eq(products.status, status), ...filterConditions(query)];
  const [first, second] = runs.map((run) => and(...narrowed, run));
  const rows = selectProducts(db).where(first);
  const all = second ? unionAll(rows, selectProducts(db).where(second)) : rows;
  const found = await all.orderBy(...orderBy).limit(onePastPage(query));
  return cursorPage(query, found, ({ updatedAt }) => updatedAt);
}
