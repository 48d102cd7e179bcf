import { fold } from "../../domain/fold.ts";

// The tokenizer of the full-text index, unicode61, folds the case of most letters and removes the marks of Latin ones. It does not
// turn ß into ss or Ａ into a, and SQL cannot either. So each row stores the folded words that the tokenizer does not produce in
// the column `folded_words`, and every search is folded first.

/** A word of the full-text index: letters and digits with their marks. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

const wordsOf = (text: string): string[] => fold(text).match(WORD) ?? [];

/** A token of the index: a run without any of the characters at which the tokenizer is known to divide words. */
const TOKEN = /[^[\p{P}\p{S}\p{Z}\p{Cc}]&&[\0-\u0530\u2000-\u206f\u3000-\u303f]]+/gv;

/** Letters that the tokenizer folds like `fold`. It removes marks from Latin letters only. */
const FOLDED_BY_TOKENIZER = /[A-Z\u00c0-\u01dc\u0200-\u021b\u0391-\u03a9\u0410-\u042f\u1e00-\u1eff]/gu;

function foldedByTokenizer(letter: string): string {
  const [base = letter] = letter.normalize("NFD");
  return (/[A-Za-z]/.test(base) ? base : letter).toLowerCase();
}

/** The texts of a row in which people search, by table. */
export const searchedTexts = {
  products: ({ name, sku, description = "" }: { name: string; sku: string; description?: string | undefined }) => [
    name,
    sku,
    description,
  ],
  users: ({ name }: { name: string }) => [name],
  files: ({ name, fileName }: { name: string; fileName: string }) => [name, fileName],
  orders: ({ customerName }: { customerName: string | null }) => (customerName === null ? [] : [customerName]),
};

/**
 * The value of a row's `folded_words`: the folded words of its texts that the tokenizer does not produce. Null if the texts are
 * ASCII. A CHECK of each table holds both, so that no statement can write a text and forget its words.
 */
export function foldedWords(texts: readonly string[]): string | null {
  const text = texts.join("\n");
  if (!BEYOND_ASCII.test(text)) return null;
  const tokens = [...new Set(text.match(TOKEN))];
  const given = new Set(tokens.map((token) => token.replace(FOLDED_BY_TOKENIZER, foldedByTokenizer)));
  const words = new Set(wordsOf(tokens.filter((token) => BEYOND_ASCII.test(token)).join(" ")));
  return [...words].filter((word) => !given.has(word)).join(" ");
}

/** How an audited table writes its `folded_words`. */
export const foldedBySearch = <State>(texts: (state: State) => string[]) => ({
  texts,
  column: (sent: string[]) => ({ foldedWords: foldedWords(sent) }),
});

/** NUL is among them, because SQLite counts the characters of a text up to its first NUL. */
const BEYOND_ASCII = /[\0\P{ASCII}]/u;

/** The index goes through the products of each word: what is typed beyond these narrows no further. */
const MAX_WORDS = 8;

/**
 * The FTS5 query for what a person typed: every word once, the last one as the beginning of a word. Each is quoted, so no
 * input can reach the query language. Null when there is no word in it, which nothing matches.
 */
export function matchExpression(search: string): string | null {
  const typed = wordsOf(search);
  const last = typed.pop();
  const words = new Map(typed.map((word) => [word, `"${word}"`]));
  if (last !== undefined && !words.has(last)) words.set(last, `"${last}"${begins(last) ? "*" : ""}`);
  return words.size > 0 ? [...words.values()].slice(0, MAX_WORDS).join(" ") : null;
}

/** A single letter begins half of all words; an ideograph is a word by itself. */
const begins = (word: string): boolean => /^\p{Ideographic}$/u.test(word) || [...word].length > 1;
