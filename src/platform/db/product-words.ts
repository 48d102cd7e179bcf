import { fold } from "../../domain/text.ts";
import { begins, MAX_WORDS, WORD } from "./search-words.ts";

// Shoppers write a word in the singular or plural, and a compound in one word or two. The index holds words as they stand in
// products, so the query asks for the other spellings too.

/** Removed from the end of a word, if a stem of this length is left, and what takes its place. English, German, French, Spanish. */
const endings: [ending: RegExp, length: number, instead: string][] = [
  [/ies$/, 2, "y"],
  [/(?<=[^sui])s$/, 3, ""],
  [/(?<=s|x|z|ch|sh)es$/, 3, ""],
  [/(?<=eau)x$/, 4, ""],
  [/es$/, 5, ""],
  [/en$/, 4, ""],
  [/[en]$/, 5, ""],
];

/** Plurals of a word. */
const plurals = (word: string): string[] => [
  ...["s", "es", "e", "en", "n"].map((ending) => word + ending),
  ...(word.endsWith("y") ? [`${word.slice(0, -1)}ies`] : []),
];

const LONG_ENOUGH_TO_INFLECT = 3;

/** A word and the stems that it may have. */
function stemsOf(word: string): string[] {
  const stems = endings.flatMap(([ending, length, instead]) => {
    const stem = word.replace(ending, instead);
    return stem !== word && stem.length - instead.length >= length ? [stem] : [];
  });
  return [...new Set([word, ...stems])];
}

/** A word as two: at each place, because a dictionary of the shop's words would have to be kept. */
function halvesOf(word: string): string[] {
  if (word.length < 4 || word.length > 20 || /^\p{N}+$/u.test(word)) return [];
  return Array.from({ length: word.length - 1 }, (_, cut) => `${word.slice(0, cut + 1)} ${word.slice(cut + 1)}`);
}

const quoted = (text: string): string => `"${text}"`;
const anyOf = (terms: string[]): string => (terms.length === 1 ? terms.join("") : `(${terms.join(" OR ")})`);

/** The spellings of a word. The last one also finds words that it begins. */
function spellingsOf(word: string, isLast: boolean): string[] {
  const beginning = `${quoted(word)}${isLast && begins(word) ? "*" : ""}`;
  if (!/^[a-z0-9]+$/.test(word) || word.length < LONG_ENOUGH_TO_INFLECT) return [beginning];
  const stems = stemsOf(word);
  const others = /\d/.test(word) ? [] : [...stems.slice(1), ...plurals(word)];
  return [beginning, ...[...new Set(others), ...stems.flatMap(halvesOf)].map(quoted)];
}

/** A word as short as this may be the first half of a compound: note book. */
const SHORT = 4;

/** Words that are written together, such as the parts of t-shirt, or that may be: t shirt. */
function compoundsOf(search: string): string[][] {
  const compounds: string[][] = [];
  let isOpen = false;
  for (const written of fold(search).split(/\s+/)) {
    const words = written.match(WORD) ?? [];
    if (words.length === 0) continue;
    if (isOpen) compounds.at(-1)?.push(...words);
    else compounds.push(words);
    const [first = ""] = words;
    isOpen = !isOpen && words.length === 1 && first.length <= SHORT;
  }
  return compounds;
}

/**
 * The FTS5 query for products: each typed word once, the last one as a prefix, in any of its spellings. Null if the text has no
 * word.
 */
export function productExpression(search: string): string | null {
  const typed = compoundsOf(search);
  const words = [...new Set(typed.flat())].slice(0, MAX_WORDS);
  const last = words.at(-1) === typed.at(-1)?.at(-1) ? words.at(-1) : undefined;
  const left = new Set(words);
  const terms = typed.flatMap((compound) => {
    const fresh = compound.filter((word) => left.delete(word));
    const [apart, joined] = [
      fresh.map((word) => anyOf(spellingsOf(word, word === last))).join(" AND "),
      fresh.join(""),
    ];
    if (fresh.length < 2) return fresh.length === 0 ? [] : [apart];
    return [anyOf([`(${apart})`, ...spellingsOf(joined, fresh.at(-1) === last)])];
  });
  return terms.length > 0 ? terms.join(" AND ") : null;
}

/** Longer words, and more of them, would make a query of thousands of terms. */
const LONGEST_CORRECTED = 12;
const MOST_CORRECTED = 3;

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];

/** A word with one letter missing, added, replaced, or swapped with the next one. */
function misspellingsOf(word: string): string[] {
  const written = [...word];
  const letters = /^[a-z]+$/.test(word) ? ALPHABET : [...new Set(written)];
  return [...written.keys(), written.length].flatMap((place) => {
    const [before, [at = "", next = "", ...after]] = [written.slice(0, place).join(""), written.slice(place)];
    const rest = after.join("");
    return [
      ...letters.flatMap((letter) => [before + letter + at + next + rest, before + letter + next + rest]),
      before + next + rest,
      before + next + at + rest,
    ];
  });
}

/**
 * The FTS5 query for words that differ from the typed ones by one letter, for a search that finds nothing. Null if no word is long
 * enough to be recognized.
 */
export function similarExpression(search: string): string | null {
  const words = [...new Set(fold(search).match(WORD))];
  const isCorrected = (word: string) => /^\p{L}{4,}$/u.test(word) && word.length <= LONGEST_CORRECTED;
  if (words.length > MOST_CORRECTED || !words.some(isCorrected)) return null;
  return words
    .map((word) => anyOf([...new Set(isCorrected(word) ? [word, ...misspellingsOf(word)] : [word])].map(quoted)))
    .join(" AND ");
}
