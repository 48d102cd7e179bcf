import { sql } from "drizzle-orm";
import { fold } from "../../domain/fold.ts";

// Names of what staff make, such as API keys, are compared by their characters: folded by the Worker, in their column
// `folded_name`, since SQL folds ASCII alone.

/**
 * A row's name as searches compare it with what was folded: `lower` folds one of ASCII. Without a comma, at which drizzle-kit
 * takes the expression of an index apart.
 */
export const comparedName = sql.raw("CASE WHEN folded_name IS NULL THEN lower(name) ELSE folded_name END");

/** For the column `folded_name`: null where `lower` folds the name. */
export const foldedName = (name: string): string | null => (/\P{ASCII}/u.test(name) ? fold(name) : null);

/** How the tables with a `folded_name` are written. */
export const foldedByName = {
  texts: ({ name }: { name: string }) => [name],
  column: ([name = ""]: string[]) => ({ foldedName: foldedName(name) }),
};
