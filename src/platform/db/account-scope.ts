import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Accounts that a caller may read and change. */
export type AccountScope = "everybody" | "customers";

/** An account and the scope of the caller who names it: outside of the scope it is not found. */
export type Target = { id: number; scope: AccountScope };

/** The condition that a row belongs to nobody, or to a user within the scope. */
export const inScope = (scope: AccountScope, userId: SQLiteColumn | SQL): SQL | undefined =>
  scope === "everybody"
    ? undefined
    : sql`NOT EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.role <> 'customer')`;
