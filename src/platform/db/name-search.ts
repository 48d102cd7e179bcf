import { type SQL, sql } from "drizzle-orm";
import { fold } from "../../domain/fold.ts";

// Searches for API keys and discounts compare the characters of names. SQL folds ASCII only, so the Worker stores the folded
// name in the column `folded_name`.

/**
 * A row's folded name, to compare with a folded search. An ASCII name has no `folded_name`: `lower` folds it. The expression has
 * no comma, because drizzle-kit splits the expression of an index at commas.
 */
export const comparedName = sql.raw("CASE WHEN folded_name IS NULL THEN lower(name) ELSE folded_name END");

/** The value of `folded_name`: null if `lower` folds the name. */
export const foldedName = (name: string): string | null => (/\P{ASCII}/u.test(name) ? fold(name) : null);

/** Adds `folded_name` to the columns of an audited table. */
export const foldedByName = {
  texts: ({ name }: { name: string }) => [name],
  column: ([name = ""]: string[]) => ({ foldedName: foldedName(name) }),
};

/** True if a column begins with a prefix, as a range of its index. The upper bound is the last Unicode character. */
export const hasPrefix = (column: SQL, text: SQL | string): SQL =>
  sql`${column} >= ${text} AND ${column} < ${text} || ${"\u{10FFFF}"}`;
