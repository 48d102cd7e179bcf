/** A space or an invisible mark. They have no effect at the ends of a text, and paste leaves them there. */
const SPACE = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/**
 * A text without spaces and invisible marks around it. Joiners and direction marks inside stay, as names need them. No pattern
 * with a `$` does it: that would begin anew at each of many spaces inside.
 */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (start < end && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A decimal digit of any script as ASCII: the digits of a script follow each other from 0 to 9. */
function asciiDigit(digit: string): string {
  let value = 0;
  for (let code = (digit.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code -= 1) value += 1;
  return String(value % 10);
}

/** A number or code as ASCII: full-width forms, digits of other scripts, typographic hyphens and spaces; no invisible marks. */
export const plainCharacters = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replaceAll(/[\p{Pd}\u2212\u30fc\u2043]/gu, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
