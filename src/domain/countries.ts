import * as z from "zod";

/** ISO 3166-1 country codes of two letters. */
export const countries: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
  FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
  JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
  MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
  PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
  TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

const union: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

export const isInEuropeanUnion = (country: string): boolean => union.includes(country);

/** A country code in either case. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => countries.includes(code), {
    error: ({ input }) => `“${beginningOf(String(input), 40)}” is not a country code, such as DE`,
  })
  .describe("Two-letter country code (ISO 3166-1)");

const names = new Intl.DisplayNames("en", { type: "region" });

/** English name of a country. */
export const countryName = (code: string): string => names.of(code) ?? code;

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
