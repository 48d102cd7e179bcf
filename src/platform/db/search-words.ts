import { type SQL, sql } from "drizzle-orm";
import type { OptionValue } from "../../domain/option-values.ts";
import { fold } from "../../domain/text.ts";

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

// unicode61, the tokenizer of the full-text index, folds the case of most letters and removes marks of Latin ones. It does
// not turn ß into ss or Ａ into a, and neither can SQL. So the column `folded_words` stores the folded words that the
// tokenizer does not produce, and searches are folded first.

/** A word of the full-text index: letters and digits with their marks. */
export const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

const wordsOf = (text: string): string[] => fold(text).match(WORD) ?? [];

/** A token of the index: a run without characters at which the tokenizer is known to split. */
const TOKEN = /[^[\p{P}\p{S}\p{Z}\p{Cc}]&&[\0-\u0530\u2000-\u206f\u3000-\u303f]]+/gv;

/** Letters that the tokenizer folds like `fold`. It removes marks only from Latin letters. */
const FOLDED_BY_TOKENIZER = /[A-Z\u00c0-\u01dc\u0200-\u021b\u0391-\u03a9\u0410-\u042f\u1e00-\u1eff]/gu;

function foldedByTokenizer(letter: string): string {
  const [base = letter] = letter.normalize("NFD");
  return (/[A-Za-z]/.test(base) ? base : letter).toLowerCase();
}

type SearchedProduct = {
  name: string;
  sku: string;
  brand?: string | null | undefined;
  description?: string | undefined;
  optionValues?: readonly OptionValue[] | undefined;
};

/** A variant is found by its SKU and its values, through its product. */
const variantTexts = ({ sku, optionValues }: { sku: string; optionValues: readonly OptionValue[] }): string[] => [
  sku,
  ...optionValues.map(({ value }) => value),
];

/** The searched texts of a row, by table. */
export const searchedTexts = {
  products: ({ name, sku, brand, description = "", optionValues = [] }: SearchedProduct) =>
    optionValues.length > 0 ? variantTexts({ sku, optionValues }) : [name, sku, brand ?? "", description],
  variants: variantTexts,
  users: ({ name }: { name: string }) => [name],
  files: ({ name, fileName }: { name: string; fileName: string }) => [name, fileName],
  orders: ({ customerName }: { customerName: string | null }) => (customerName === null ? [] : [customerName]),
};

/**
 * The value of a row's `folded_words`: the folded words of its texts that the tokenizer does not produce. Null if the
 * texts are ASCII. A CHECK of each table enforces both, so that no statement can write a text without its words.
 */
export function foldedWords(texts: readonly string[]): string | null {
  const text = texts.join("\n");
  if (!BEYOND_ASCII.test(text)) return null;
  const tokens = [...new Set(text.match(TOKEN))];
  const given = new Set(tokens.map((token) => token.replace(FOLDED_BY_TOKENIZER, foldedByTokenizer)));
  const words = new Set(wordsOf(tokens.filter((token) => BEYOND_ASCII.test(token)).join(" ")));
  return [...words].filter((word) => !given.has(word)).join(" ");
}

/** Adds `folded_words` to the columns of an audited table. */
export const foldedBySearch = <State>(texts: (state: State) => string[]) => ({
  texts,
  column: (sent: string[]) => ({ foldedWords: foldedWords(sent) }),
});

/** Includes NUL, because SQLite counts the characters of a text only up to its first NUL. */
const BEYOND_ASCII = /[\0\P{ASCII}]/u;

/** The index reads the products of each word; further words would not narrow the result. */
export const MAX_WORDS = 8;

/**
 * The FTS5 query for a typed text: each word once, the last one as a prefix. Words are quoted, so that input cannot reach the
 * query language. Null if the text has no word, which matches nothing.
 */
export function matchExpression(search: string): string | null {
  const typed = wordsOf(search);
  const last = typed.pop();
  const words = new Map(typed.map((word) => [word, `"${word}"`]));
  if (last !== undefined && !words.has(last)) words.set(last, `"${last}"${begins(last) ? "*" : ""}`);
  return words.size > 0 ? [...words.values()].slice(0, MAX_WORDS).join(" ") : null;
}

/** A single letter begins half of all words; an ideograph is a word. */
export const begins = (word: string): boolean => /^\p{Ideographic}$/u.test(word) || [...word].length > 1;
