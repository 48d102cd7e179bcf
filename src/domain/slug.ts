import * as z from "zod";

const words = "must be lower-case letters and digits with hyphens between them";

/** What names a row in an address. */
export const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, words);

/** Leaves room for a number, which a name that several rows have needs. */
const LONGEST = 80;

/** No slug is made of more of a name. */
const READ_CHARACTERS = 300;

const ASCII = /^[\0-\x7f]*$/;

/**
 * The slug of a name, which is one and the same whenever it is asked for: "Café Crème, 200g" becomes "cafe-creme-200g", and
 * "Чай" becomes "chay". A name without letters and digits, such as "🍵", becomes the numbers of its characters.
 */
export async function slugOf(name: string): Promise<string> {
  const text = name.slice(0, READ_CHARACTERS).toWellFormed().normalize("NFKC");
  const words = (await inLatin(text)).toLowerCase().match(/[a-z0-9]+/g);
  const parts = words ?? Array.from(text, (character) => character.codePointAt(0)?.toString(16));
  return cut(parts.join("-"), LONGEST) || "0";
}

/** Loaded for the names that need it alone: the letters of all scripts are large. */
async function inLatin(text: string): Promise<string> {
  if (ASCII.test(text)) return text;
  const { transliterate } = await import("transliteration");
  return transliterate(text);
}

const cut = (slug: string, most: number): string => slug.slice(0, most).replace(/-$/, "");

/** A slug made of two. */
export const joinedSlugs = (first: string, second: string): string => cut(`${cut(first, 50)}-${second}`, LONGEST);

/** Characters that a slug has before its number. */
export const UNNUMBERED = 90;

/** The nth of the slugs that rows of one name have: "tea", "tea-2", "tea-3". */
export const numberedSlug = (slug: string, n: number): string => (n === 1 ? slug : `${cut(slug, UNNUMBERED)}-${n}`);

/** The longest name of a category, which may be a whole path such as "Clothing > Shirts". */
export const MAX_CATEGORY_NAME = 300;

/** The name of a category by the names that lead to it: without the first of them where it would be too long. */
export function categoryNameOf(path: string[]): string {
  const name = path.join(" > ");
  return path.length > 1 && name.length > MAX_CATEGORY_NAME ? categoryNameOf(path.slice(1)) : name;
}

/** What tells a category from others: its name, in which the case of a letter from A to Z does not count. */
export const categoryKey = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
