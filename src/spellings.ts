/** As SQLite's NOCASE compares: it folds the case of ASCII alone. */
const folded = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * The beginning of a name as it may be written, so that a person who types "émile" finds Émile and ÉMILE too. What NOCASE
 * takes for the same is there once: each spelling is a search of its own.
 */
export function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  const [first = ""] = lower;
  const written = [text, lower, lower.toUpperCase(), first.toUpperCase() + lower.slice(first.length)];
  return [...new Set(written.map(folded))];
}
