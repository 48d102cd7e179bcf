import { rowsOf, withFile, wrangler } from "../deploy/wrangler.ts";

/** The deployment's database or the local one. */
export type Where = "--remote" | "--local";

/** Returns the rows of a query. The query is visible in the process list: never put a secret into it. */
export const query = (where: Where, sql: string): unknown[] => rowsOf("DB", where, sql);

/** Runs statements atomically. They pass through a file that only this user can read. */
export function execute(where: Where, sql: string): void {
  withFile("statements.sql", sql, (path) => wrangler(["d1", "execute", "DB", where, "--yes", "--file", path]));
}
