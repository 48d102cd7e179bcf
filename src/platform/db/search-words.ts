import { fold } from "../../domain/fold.ts";

// The full-text index takes a text apart by its tokenizer, unicode61, which folds the case of most letters and takes the marks
// off Latin ones. It has no ß as ss nor Ａ as a, and SQL can fold no further: so a row of a full-text table has the words that
// the tokenizer would not give in a column of their own, `folded_words`, and what is searched for is folded first.

/** What the full-text index takes for a word: letters, digits and their marks. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

const wordsOf = (text: string): string[] => fold(text).match(WORD) ?? [];

/** What lies between the characters that are known to divide words in the index. */
const TOKEN = /[^[\p{P}\p{S}\p{Z}\p{Cc}]&&[\0-\u0530\u2000-\u206f\u3000-\u303f]]+/gv;

/** Letters that the tokenizer folds as it should; it leaves those that are not Latin their marks. */
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
 * The words of a row's texts for its column `folded_words`: folded, without those that the tokenizer gives by itself. Null if the
 * texts are ASCII, which a check of each table demands, so that no statement writes such a text and forgets its words.
 */
export function foldedWords(texts: readonly string[]): string | null {
  const text = texts.join("\n");
  if (!BEYOND_ASCII.test(text)) return null;
  const tokens = [...new Set(text.match(TOKEN))];
  const given = new Set(tokens.map((token) => token.replace(FOLDED_BY_TOKENIZER, foldedByTokenizer)));
  const words = new Set(wordsOf(tokens.filter((token) => BEYOND_ASCII.test(token)).join(" ")));
  return [...words].filter((word) => !given.has(word)).join(" ");
}

/** SQLite counts the characters of a text up to its first NUL, so that NUL is beyond it for the checks. */
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
