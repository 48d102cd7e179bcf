/** The beginning of a text. It may be stored: a surrogate pair is left out as a whole, and half of one replaced. */
export const beginningOf = (text: string, most: number): string =>
  text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
