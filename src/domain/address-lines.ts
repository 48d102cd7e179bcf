import { formatAddress } from "localized-address-format";
import type { Address } from "./address.ts";
import { countryName } from "./countries.ts";

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

  const countryLine = country && countryName(country);
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
