import { and, gt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

// A walk through a whole list in the order of ids, which reads each row once however long the list is.

/** Behind which id a walk goes on, with which it ends at the latest, and how many rows it takes. */
type IdRange = { after: number; last: number; limit: number };

/** Which rows of a walk are read: those that follow, or those that a search found. */
export type Which = IdRange | number[];

/** The first and the last id between which a walk is, the first left out. */
export type IdBounds = Pick<IdRange, "after" | "last">;

export const isChosen = (id: SQLiteColumn, which: Which): SQL | undefined =>
  Array.isArray(which)
    ? sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(which)}))`
    : and(gt(id, which.after), lte(id, which.last));

export const limitOf = (which: Which): number => (Array.isArray(which) ? which.length : which.limit);

/** A column that no index is chosen for, so that the walk stays in the order of ids. */
export const unindexed = (column: SQLiteColumn): SQL => sql`+${column}`;
