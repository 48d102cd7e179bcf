/** The beginning of a text, as one that can be stored: a surrogate pair is cut off as a whole, and half of one replaced. */
export const beginningOf = (text: string, most: number): string =>
  text
    .toWellFormed()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");

/** How far before its end a text is looked at for the end of a word. */
const NEAR = 200;

/** The beginning of a text that ends with a word, or with a whole character where one word is all of it. */
export function beginningInWords(text: string, most: number): string {
  if (text.length <= most) return beginningOf(text, most);
  const from = Math.max(0, most - NEAR);
  const around = text.slice(from, most + NEAR);
  const endOf = (granularity: "word" | "grapheme") =>
    new Intl.Segmenter(undefined, { granularity }).segment(around).containing(most - from)?.index ?? 0;
  const end = endOf("word") || endOf("grapheme") || most - from;
  return beginningOf(text, from + end).trimEnd();
}
