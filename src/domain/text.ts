/** A fraction in one character. It decomposes into digits and a fraction slash: 2½ is 2 1/2, not 21/2. */
const FRACTION = /[¼-¾⅐-⅞↉]/gu;

/** A mark above or below a letter. Marks of kana and Indic scripts form other letters and syllables, and stay. */
const MARK =
  /[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]/v;

/** Cyrillic й, ў, ї, ѓ and ќ are letters of their own, unlike ё. */
const LETTER_OF_ITS_OWN = /(?<=[иу])\u0306|(?<=і)\u0308|(?<=[гк])\u0301/u;

const IGNORED = /\p{Default_Ignorable_Code_Point}|\u0640/u;

const DROPPED = new RegExp(`(?!${LETTER_OF_ITS_OWN.source})(?:${MARK.source}|${IGNORED.source})`, "gv");

/** Letters that Unicode decomposes neither by normalization nor by case. */
const letters: Record<string, string> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ς: "σ",
};
const LETTER = new RegExp(`[${Object.keys(letters).join("")}]`, "gu");

/**
 * Removes differences in how people write a word: case, marks, compatibility forms such as ＡＢＣ and ﬁ, and letters such as ß
 * and ø that keyboards lack.
 */
export const fold = (text: string): string =>
  text
    .replace(FRACTION, " $& ")
    .normalize("NFKD")
    // By way of upper case, which is SS for ß and I for ı.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(DROPPED, "")
    .replace(LETTER, (letter) => letters[letter] ?? letter)
    .replaceAll("\u2044", "/")
    .normalize("NFC");

/** Cuts a text to a length that can be stored. A surrogate pair is cut off as a whole, and half of one is replaced. */
export const beginningOf = (text: string, most: number): string =>
  text
    .toWellFormed()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");

/** Characters before the end in which a word boundary is searched. */
const NEAR = 200;

/** Cuts a text at the end of a word, or at a whole character if the text is a single word. */
export function beginningInWords(text: string, most: number): string {
  if (text.length <= most) return beginningOf(text, most);
  const from = Math.max(0, most - NEAR);
  const around = text.slice(from, most + NEAR);
  const endOf = (granularity: "word" | "grapheme") =>
    new Intl.Segmenter(undefined, { granularity }).segment(around).containing(most - from)?.index ?? 0;
  const end = endOf("word") || endOf("grapheme") || most - from;
  return beginningOf(text, from + end).trimEnd();
}
