/** What the full-text index takes for a word: letters, digits and their marks (tokenize = unicode61). */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

/** The index goes through the products of each word: what is typed beyond these narrows no further. */
const MAX_WORDS = 8;

/**
 * The FTS5 query for what a person typed: every word once, the last one as the beginning of a word. Each is quoted, so no
 * input can reach the query language. Null when there is no word in it, which nothing matches.
 */
export function matchExpression(search: string): string | null {
  const typed = search.match(WORD) ?? [];
  const last = typed.pop();
  const words = new Map(typed.map((word) => [folded(word), `"${word}"`]));
  if (last !== undefined && !words.has(folded(last))) words.set(folded(last), `"${last}"${begins(last) ? "*" : ""}`);
  return words.size > 0 ? [...words.values()].slice(0, MAX_WORDS).join(" ") : null;
}

const folded = (word: string): string => word.normalize("NFC").toLowerCase();

/** A single letter begins half of all words; an ideograph is a word by itself. */
const begins = (word: string): boolean => /^\p{Ideographic}$/u.test(word) || [...word.normalize("NFC")].length > 1;
