import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountScope } from "../account-scope.ts";

/** The condition that a row belongs to nobody, or to a user within the scope. */
export const inScope = (scope: AccountScope, userId: SQLiteColumn): SQL | undefined =>
  scope === "everybody"
    ? undefined
    : sql`NOT EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.role = 'admin')`;
