import { plainCharacters, Text } from "./fields.ts";

/** True for a GTIN of 8, 12, 13 or 14 digits whose last digit is the sum of the others, weighted with 3 and 1 in turn. */
function isGtin(code: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(code)) return false;
  const sum = [...code].reduceRight((total, digit, at) => total + Number(digit) * ((code.length - at) % 2 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * A GTIN in every length in which it is written, since zeros in front do not change it
 * (gs1.org/edi-xml/technical-user-guide/Item_Numbers). Scanners read a UPC of 12 digits as an EAN of 13, or the reverse.
 */
export const gtinsOf = (gtin: string): string[] => {
  const digits = gtin.replace(/^0+/, "");
  return [8, 12, 13, 14].flatMap((length) => (digits.length > length ? [] : digits.padStart(length, "0")));
};

/** A GTIN as printed on packaging. Spaces and hyphens between its digits are removed, and the apostrophe by which a spreadsheet keeps a number as text. */
export const Gtin = Text.max(100)
  .overwrite((typed) => plainCharacters(typed).replaceAll(/^['’]|[\s-]/g, ""))
  .refine(isGtin, "must be a GTIN, EAN, UPC or ISBN of 8, 12, 13 or 14 digits, of which the last is the check digit");
