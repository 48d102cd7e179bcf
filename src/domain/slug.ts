import * as z from "zod";

const words = "must be lower-case letters and digits with hyphens between them";

/** Identifies a row in a URL. */
export const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, words);

/** Leaves room for the number that a repeated name needs. */
const LONGEST = 80;

/** Maximum number of characters of a name used for a slug. */
const READ_CHARACTERS = 300;

const ASCII = /^[\0-\x7f]*$/;

/**
 * The slug of a name, always the same for the same name: "Café Crème, 200g" becomes "cafe-creme-200g", and "Чай" becomes
 * "chay". A name without letters and digits, such as "🍵", becomes its character numbers.
 */
export async function slugOf(name: string): Promise<string> {
  const text = name.slice(0, READ_CHARACTERS).toWellFormed().normalize("NFKC");
  const words = (await inLatin(text)).toLowerCase().match(/[a-z0-9]+/g);
  const parts = words ?? Array.from(text, (character) => character.codePointAt(0)?.toString(16));
  return cut(parts.join("-"), LONGEST) || "0";
}

/** Loaded only for names that need it: the tables of all scripts are large. */
async function inLatin(text: string): Promise<string> {
  if (ASCII.test(text)) return text;
  const { transliterate } = await import("transliteration");
  return transliterate(text);
}

const cut = (slug: string, most: number): string => slug.slice(0, most).replace(/-$/, "");

/** Joins two slugs. */
export const joinedSlugs = (first: string, second: string): string => cut(`${cut(first, 50)}-${second}`, LONGEST);

/** Maximum number of characters before a slug's number. */
export const UNNUMBERED = 90;

/** The nth slug of rows with one name: "tea", "tea-2", "tea-3". */
export const numberedSlug = (slug: string, n: number): string => (n === 1 ? slug : `${cut(slug, UNNUMBERED)}-${n}`);
