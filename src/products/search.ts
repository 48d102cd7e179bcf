/** What the full-text index takes for a word: letters, digits and their marks (tokenize = unicode61). */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

/**
 * The FTS5 query for what a person typed: every word, the last one as the beginning of a word. Each is quoted, so no
 * input can reach the query language. Null when there is no word in it, which nothing matches.
 */
export function matchExpression(search: string): string | null {
  const words = search.match(WORD);
  return words ? `${words.map((word) => `"${word}"`).join(" ")}*` : null;
}
