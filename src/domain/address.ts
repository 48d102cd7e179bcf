import { getCountryData } from "lib-address/lite";
import { formatAddress } from "localized-address-format";
import * as z from "zod";
import { normalizePhone, Phone } from "./contact.ts";
import { coded, line, lineOrEmpty, plainCharacters } from "./fields.ts";
import { Country, countryName } from "./place.ts";
import { VatId } from "./vat-id.ts";

/** The parts of a postal address. */
const addressFields = {
  name: line(100).describe("Name of the recipient"),
  company: line(100).nullish(),
  address: line(200).describe("Street and number"),
  address2: line(200).nullish().describe("Flat, floor, care of"),
  city: line(100),
  region: line(100).nullish().describe("State or province"),
  zip: lineOrEmpty(20).nullish().describe("Postal code. Required if the country needs one"),
  country: Country.nullish(),
  phone: Phone.nullish().describe("For the carrier"),
  vat_id: VatId.nullish(),
};

/** A part derived from another one. Requests may send it back unchanged; it has no effect. */
const derivedFields = {
  phone_normalized: z.string().nullish().describe("Normalized form of `phone`. Read-only: ignored in requests"),
};

/** Also the names of the address book's columns. */
export const addressParts = Object.keys(addressFields);

/** Shape of an address in a request. */
export const sentAddressFields = { ...addressFields, ...derivedFields };

export const withoutDerived = <Sent extends { phone_normalized?: unknown }>({ phone_normalized: _, ...parts }: Sent) =>
  parts;

type Postal = { zip?: string | null | undefined; country?: string | null | undefined };

const isPostalCodeMissing = ({ zip, country }: Postal): boolean => !zip && (!country || requiresPostalCode(country));

/** The error for an address that lacks a required postal code. Null if there is none. */
export function missingPostalCode(address: Postal): string | null {
  if (!isPostalCodeMissing(address)) return null;
  return address.country ? `is required for addresses in ${countryName(address.country)}` : "is required";
}

/** Returns an address with its postal code in the country's spelling. Null stays null. */
export const withPostalCode = <Sent extends Postal>(address: Sent): Sent & { zip: string | null } => ({
  ...address,
  zip: address.zip ? readPostalCode(address.zip, address.country ?? null).code : null,
});

/** True if the postal code of an address does not look like one of its country. */
export const hasDoubtfulPostalCode = ({ zip, country }: Postal): boolean =>
  Boolean(zip) && readPostalCode(zip ?? "", country ?? null).isDoubtful;

/** Arguments of `refine` that refuse an address without the postal code it needs. */
export const needsPostalCode = [
  (address: Postal) => missingPostalCode(address) === null,
  {
    path: ["zip"] as PropertyKey[],
    error: ({ input }: { input?: unknown }) => missingPostalCode(Object(input)) ?? "is required",
    ...coded("required"),
  },
] as const;

export const Address = z
  .strictObject(sentAddressFields)
  .refine(...needsPostalCode)
  .transform((sent) => withPostalCode(withoutDerived(sent)))
  .meta({ id: "PostalAddress" });
export type Address = z.output<typeof Address>;

/** An address in a response. Unknown parts are null. */
export const ShownAddress = z.object({
  name: z.string(),
  company: z.string().nullable(),
  address: z.string(),
  address2: z.string().nullable(),
  city: z.string(),
  region: z.string().nullable(),
  zip: z.string().nullable(),
  country: z.string().nullable(),
  phone: z.string().nullable().describe("Telephone number as entered"),
  vat_id: z.string().nullable().describe("VAT ID of the company"),
  phone_normalized: z
    .string()
    .nullable()
    .describe("Telephone number reduced to digits, with `+` before the country code and `;ext=` before an extension"),
} satisfies Record<keyof Address | "phone_normalized", z.ZodType>);

export const toShownAddress = (address: Address): z.output<typeof ShownAddress> => ({
  name: address.name,
  company: address.company ?? null,
  address: address.address,
  address2: address.address2 ?? null,
  city: address.city,
  region: address.region ?? null,
  zip: address.zip ?? null,
  country: address.country ?? null,
  phone: address.phone ?? null,
  vat_id: address.vat_id ?? null,
  phone_normalized: address.phone ? normalizePhone(address.phone) : null,
});

/** Chinese, Japanese and Korean addresses begin with the largest area unless they are written in Latin letters. */
const scriptOf = (text: string): "latin" | "local" =>
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? "local" : "latin";

const isOneOf = (text: string, others: (string | null | undefined)[]): boolean =>
  others.some((other) => other?.toLowerCase() === text.toLowerCase());

/**
 * Formats a postal address line by line in the order of its country, with the country's name last. An address without a
 * country uses the order of `home` and has no such line. Parts that are unusual in the country are kept for the carrier, next
 * to the city. Placeholders such as the postal code 00000 are left out.
 */
export function addressLines(
  { name, company, address, address2, city, region, zip, country }: Address,
  home: string | null = null,
  language = "en",
): string[] {
  const script = scriptOf(`${address} ${city}`);
  const postalCountry = country ?? home;
  const format = (parts: Parameters<typeof formatAddress>[0]) =>
    formatAddress(postalCountry ? { ...parts, postalCountry } : parts, script);
  /**
   * The line of the country's format that contains a part, with ? in place of the part. Undefined if the format lacks the
   * part.
   */
  const lineOf = (part: "locality" | "administrativeArea" | "postalCode") =>
    format({ [part]: "?" }).find((line) => line.includes("?"));

  const countryLine = country && countryName(country, language);
  const hasCity = lineOf("locality") !== undefined;
  const town = !hasCity && isOneOf(city, [region, countryLine]) ? "" : city;
  const county = !region || lineOf("administrativeArea") || isOneOf(region, [city, country, countryLine]) ? "" : region;
  const code = !zip || /^[-0. ]*$/.test(zip) ? "" : zip;
  const codeLine = lineOf("postalCode");
  // Some countries put letters before the code, such as FI-00100.
  const [, letters] = /^([A-Z]{1,2})-?\?/.exec(codeLine ?? "") ?? [];
  const place = [[town, county].filter(Boolean).join(", "), codeLine ? "" : code].filter(Boolean).join(" ");
  const streets = [address, address2 ?? ""];
  if (!hasCity) streets.splice(script === "local" ? 0 : 2, 0, place);
  const lines = format({
    name,
    organization: company ?? "",
    // Joined into one value: formatAddress would break the line after the last of several.
    addressLines: [streets.filter(Boolean).join("\n")],
    locality: place,
    administrativeArea: region ?? "",
    postalCode: letters ? code.replace(new RegExp(`^${letters}[- ]?`, "i"), "") : code,
  });
  return [...lines.flatMap((line) => line.split("\n")), countryLine ?? ""].map((line) => line.trim()).filter(Boolean);
}

// Google's address data tells which countries use postal codes, which require them, and their forms.

const patterns = new Map<string, RegExp | null>();

/** The form of a country's postal codes. Null if it has none or the form is unknown. */
function patternOf(country: string): RegExp | null {
  const known = patterns.get(country);
  if (known !== undefined) return known;
  const zip = getCountryData(country)?.zip;
  const pattern = zip ? new RegExp(`^(?:${zip})$`) : null;
  patterns.set(country, pattern);
  return pattern;
}

/** True if mail to the country needs a postal code. */
const requiresPostalCode = (country: string): boolean => getCountryData(country)?.require?.includes("Z") ?? false;

/** Spellings of a shortened code: with a hyphen or space inserted, with or without the country's prefix. */
function* spellings(code: string, country: string): Generator<string> {
  yield code;
  const compact = code.replaceAll(/[^A-Z0-9]/g, "");
  yield compact;
  for (let index = 1; index < compact.length; index += 1) {
    for (const separator of ["-", " "]) yield compact.slice(0, index) + separator + compact.slice(index);
  }
  yield `${country}${compact}`;
  yield `${country}-${compact}`;
  // Carriers once put the country or its first letter in front: D-10115, SE-114 55.
  const [, withoutPrefix] = new RegExp(`^(?:${country}|${country[0]})[- ]?(\\d.*)$`).exec(code) ?? [];
  if (withoutPrefix) yield* spellings(withoutPrefix, country);
}

/**
 * Normalizes a postal code to its country's spelling, in upper case and ASCII. A code of unexpected form keeps its
 * spelling and gets a warning, because mail may still arrive.
 */
function readPostalCode(written: string, country: string | null): { code: string; isDoubtful: boolean } {
  const code = plainCharacters(written.replaceAll("〒", "")).toUpperCase();
  const pattern = country === null ? null : patternOf(country);
  if (pattern === null || country === null) return { code, isDoubtful: false };
  for (const spelling of spellings(code, country)) {
    if (pattern.test(spelling)) return { code: spelling, isDoubtful: false };
  }
  return { code, isDoubtful: true };
}
