/** The beginning of a text, as one that can be stored: a surrogate pair is cut off as a whole, and half of one replaced. */
export const beginningOf = (text: string, most: number): string =>
  text
    .toWellFormed()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");
