/**
 * The beginning of a name as it may be written. SQLite folds the case of ASCII alone, so that a person who types "émile"
 * is looked up as Émile and ÉMILE too.
 */
export function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  const [first = ""] = lower;
  return [...new Set([text, lower, lower.toUpperCase(), first.toUpperCase() + lower.slice(first.length)])];
}
