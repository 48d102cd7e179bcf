import { lineOrEmpty, plainCharacters } from "./fields.ts";

/** Longer texts are not telephone numbers, and the patterns would be slow to tell. */
const LONGEST = 40;

/** An extension at the end, in the words and signs that people use. */
const EXTENSION = /[\s,;]*(?:extension|ext|poste|int|dw|доб|内線|x|#|,)\s*[.:=]?\s*(\d{1,8})\s*$/iu;

/** A number of 5 to 15 digits, the E.164 maximum, and the characters that people put between them. */
const NUMBER = /^(?:tel:)?\s*\(?\s*(\+|00)?(?:[\s()./·•-]*\d){5,15}[\s()./·•-]*$/i;

/**
 * A telephone number reduced to its digits, with `+` before a country code and `;ext=` before an extension: `+442079460018`.
 * Null if the text is no telephone number.
 */
export function normalizePhone(written: string): string | null {
  const plain = plainCharacters(written);
  const [matched = "", extension] = EXTENSION.exec(plain) ?? [];
  const number = plain.slice(0, plain.length - matched.length);
  const [, prefix] = NUMBER.exec(number) ?? [];
  if (!NUMBER.test(number)) return null;
  // "(0)" is dialled only within the country.
  const digits = (prefix ? number.replace(/\(\s*0\s*\)/, "") : number).replaceAll(/\D/g, "");
  const international = prefix === "00" ? digits.slice(2) : digits;
  return `${prefix ? "+" : ""}${international}${extension ? `;ext=${extension}` : ""}`;
}

/** A telephone number as people write it, with or without country code and extension. It is stored as written. */
export const Phone = lineOrEmpty(LONGEST).refine(
  (written) => normalizePhone(written) !== null,
  "must be a phone number, such as +44 117 496 0123",
);
