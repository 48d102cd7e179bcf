import * as z from "zod";
import { badRequest, fieldError } from "./errors.ts";
import { line } from "./fields.ts";
import { beginningOf, fold } from "./text.ts";

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

/** Member states, and XI for goods in Northern Ireland. */
const union: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ");

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

const names = new Map<string, Intl.DisplayNames>();

/** Name of a country, by default in English. */
export function countryName(code: string, language = "en"): string {
  const inLanguage = names.get(language) ?? new Intl.DisplayNames(language, { type: "region" });
  names.set(language, inLanguage);
  return inLanguage.of(code) ?? code;
}

/** A state or province, by code or name. It becomes a code once its country is known. */
export const Region = line(100).describe("ISO 3166-2 region without the country, such as NY, or a name");

const REGION_WORDS = "is not a state or province of the country";

/** A country, or a region of it by code. */
export const Place = z
  .strictObject({ country: Country, region: Region.nullable().default(null) })
  .refine(({ country, region }) => region === null || regionCode(country, region) !== undefined, {
    path: ["region"],
    error: REGION_WORDS,
  })
  .transform(({ country, region }) => ({ country, region: region && (regionCode(country, region) ?? null) }))
  .meta({ id: "Place" });

type PlaceParts = { country: string | null; region: string | null };

/**
 * The place after a change, with its region as a code. If the country changes and no region is sent, the region is cleared.
 * `field` is the name of the region's field.
 */
export function placeAfter(
  before: PlaceParts,
  sent: { [Name in keyof PlaceParts]: PlaceParts[Name] | undefined },
  field: string,
): PlaceParts {
  const country = sent.country === undefined ? before.country : sent.country;
  const kept = country === before.country ? before.region : null;
  const written = sent.region === undefined ? kept : sent.region;
  if (written === null) return { country, region: null };
  const region = country === null ? undefined : regionCode(country, written);
  if (region === undefined) throw badRequest(fieldError(field, "invalid", REGION_WORDS));
  return { country, region };
}

// States and provinces of the countries whose taxes differ by region, by ISO 3166-2 codes without the country.

const lists: Record<string, string> = {
  AU: `ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|
    TAS Tasmania|VIC Victoria|WA Western Australia`,
  CA: `AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|
    NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`,
  US: `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|
    DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|
    LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|
    NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|
    OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|
    UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|
    MP Northern Mariana Islands|PR Puerto Rico|VI Virgin Islands|AA Armed Forces Americas|AE Armed Forces Europe|
    AP Armed Forces Pacific`,
};

/** Codes by spelling: the code itself or the name. Built on first use. */
const known = new Map<string, Map<string, string>>();

const entriesIn = (list: string): [code: string, name: string][] =>
  list.split("|").map((entry) => {
    const [code = "", ...name] = entry.trim().split(" ");
    return [code, name.filter(Boolean).join(" ")];
  });

/** Name of a region by its code. */
export const regionName = (country: string, code: string): string =>
  entriesIn(lists[country] ?? "").find(([known]) => known === code)?.[1] ?? code;

function regionsOf(country: string): Map<string, string> | undefined {
  const list = Object.hasOwn(lists, country) ? lists[country] : undefined;
  if (list === undefined) return undefined;
  const regions =
    known.get(country) ??
    new Map(entriesIn(list).flatMap(([code, name]) => [code, name].map((written) => [plain(written), code])));
  known.set(country, regions);
  return regions;
}

/** Removes accents, case, separators and a leading country code: "US-NY" becomes "NY". */
const plain = (text: string): string =>
  fold(text)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/**
 * The code of a region in an address. Undefined if the country's regions are known and this is none of them. For other
 * countries, the text without accents in upper case.
 */
export function regionCode(country: string, written: string): string | undefined {
  const text = plain(written);
  const code = text.startsWith(`${country} `) ? text.slice(country.length + 1) : text;
  const regions = regionsOf(country);
  return regions ? regions.get(code) : code || undefined;
}
