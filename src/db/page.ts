import { count, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Page } from "../http/pagination.ts";
import type { Database } from "./client.ts";

/** One page of rows, and how many there are in all, or at least when that is not exact. */
export type PageOf<Row> = { rows: Row[]; totalItems: number; totalIsExact: boolean; next?: Page["next"] };

/** Reads a page and its total in one round trip. `rows` is the page's query, `where` what it and the total have in common. */
export async function readPage<Row>(
  db: Database,
  rows: BatchItem<"sqlite"> & { _: { result: Row[] } },
  table: SQLiteTable,
  where: SQL | undefined,
): Promise<PageOf<Row>> {
  const [found, [total]] = await db.batch([rows, db.select({ items: count() }).from(table).where(where)]);
  return { rows: found, totalItems: total?.items ?? 0, totalIsExact: true };
}
