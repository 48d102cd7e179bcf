import { sql } from "drizzle-orm";
import { check, integer, text } from "drizzle-orm/sqlite-core";

// Money is integer minor units; a moment is epoch milliseconds (UTC). The triggers that guard the tables stand in
// db/guards, each with a line that says what it prevents.

export const id = () => integer().primaryKey({ autoIncrement: true });

/** The id of a table whose newest row is never deleted, so that no id comes twice: AUTOINCREMENT would cost a write more. */
export const rowId = () => integer().primaryKey();
export const createdAt = () => integer("created_at").notNull();
export const updatedAt = () => integer("updated_at").notNull();
export const flag = (name: string) => integer(name, { mode: "boolean" });

/** The words of a row's searched texts that the tokenizer of the full-text index would not give; see search-words.ts. */
export const foldedWords = () => text("folded_words");

/** Refuses a text that is not ASCII without its folded words, and folded words of a text that is: such as one that was erased. */
export const wordsAreFolded = (name: string, searched: string) =>
  check(name, sql.raw(`(octet_length(${searched}) > length(${searched})) = ("folded_words" IS NOT NULL)`));
