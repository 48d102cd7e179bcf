import { sql } from "drizzle-orm";
import { check, integer, text } from "drizzle-orm/sqlite-core";

// Money is integer minor units, and times are epoch milliseconds (UTC). Triggers are in the guards.sql beside the
// tables of a feature, each with a line that says what it prevents or what follows from it.

export const id = () => integer().primaryKey({ autoIncrement: true });

/**
 * The id of a table whose newest row is never deleted, so that ids are not reused. AUTOINCREMENT would cost another write.
 */
export const rowId = () => integer().primaryKey();
export const createdAt = () => integer("created_at").notNull();
export const updatedAt = () => integer("updated_at").notNull();

/** The id of a row that another belongs to. */
export const foreignId = (name: string, ...to: Parameters<ReturnType<typeof integer>["references"]>) =>
  integer(name)
    .notNull()
    .references(...to);
export const flag = (name: string) => integer(name, { mode: "boolean" });

/** Folded words of a row that the full-text tokenizer does not produce; see search-words.ts. */
export const foldedWordsColumn = () => text("folded_words");

/** The row's name in the form that searches compare, if it is not ASCII; see search-words.ts. */
export const foldedNameColumn = () => text("folded_name");

/** A text has a folded form exactly if it is not ASCII. An erased text is ASCII, so its folded form must go too. */
export const isFolded = (name: string, searched: string, folded: "folded_words" | "folded_name" = "folded_words") =>
  check(name, sql.raw(`(octet_length(${searched}) > length(${searched})) = ("${folded}" IS NOT NULL)`));

/** Letters of Latin names that do not sort with their base letter by themselves. SQLite limits how deep replacements nest. */
const BASE_LETTERS = {
  a: "äáàâãå",
  A: "ÄÁÅ",
  c: "çčć",
  C: "ÇČ",
  e: "éèêëę",
  E: "ÉÈ",
  i: "íîï",
  I: "Í",
  l: "ł",
  L: "Ł",
  n: "ñń",
  N: "Ñ",
  o: "öóôõőø",
  O: "ÖÓØ",
  r: "ř",
  R: "Ř",
  s: "šśş",
  S: "ŠŚ",
  u: "üúùûů",
  U: "ÜÚ",
  y: "ý",
  z: "žźż",
  Z: "ŽŻ",
  ss: "ß",
  ae: "æ",
  Ae: "Æ",
  oe: "œ",
};

/** SQL for a name in the form that lists are sorted by, so that ä stands with a rather than after z. */
export const sortName = (name: string): string =>
  Object.entries(BASE_LETTERS)
    .flatMap(([base, letters]) => [...letters].map((letter) => [letter, base]))
    .reduce((sql, [letter, base]) => `replace(${sql}, '${letter}', '${base}')`, name);

/** A row's name as `sortName` writes it. */
export const sortNameColumn = () =>
  text("sort_name").generatedAlwaysAs(sql.raw(sortName(`"name"`)), { mode: "virtual" });
