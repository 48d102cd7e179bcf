import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Reach } from "../reach.ts";

/** The condition that whose row it is, if anybody's, can be reached. */
export const within = (reach: Reach, userId: SQLiteColumn): SQL | undefined =>
  reach === "everybody"
    ? undefined
    : sql`NOT EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.role = 'admin')`;
