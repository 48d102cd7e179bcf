import { formatAddress } from "localized-address-format";
import type { Address } from "./address.ts";
import { countryName } from "./country-name.ts";

/** Chinese, Japanese and Korean addresses begin with what is largest, unless they are written in Latin letters. */
const scriptOf = (text: string): "latin" | "local" =>
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? "local" : "latin";

/**
 * A postal address line by line, in the order of its country, by whose name it ends. Of what a country's addresses do not have
 * nothing is left out, as the carrier may need it: it stands beside the city, or the city beside the street.
 */
export function addressLines({ name, company, address, address2, city, region, zip, country }: Address): string[] {
  const script = scriptOf([name, address, city].join());
  const format = (parts: Parameters<typeof formatAddress>[0]) =>
    formatAddress(country ? { ...parts, postalCountry: country } : parts, script);
  /** What the country writes a part into, with ? for it; undefined if its addresses have none. */
  const lineOf = (part: "locality" | "administrativeArea" | "postalCode") =>
    format({ [part]: "?" }).find((line) => line.includes("?"));

  const countryLine = country && countryName(country);
  const besideCity = [city === countryLine ? "" : city, lineOf("administrativeArea") ? "" : region]
    .filter(Boolean)
    .join(", ");
  const place = lineOf("postalCode") ? besideCity : `${besideCity} ${zip}`.trim();
  const streets = [address, address2 ?? ""];
  if (!lineOf("locality")) streets.splice(script === "local" ? 0 : 2, 0, place);
  const lines = format({
    name,
    organization: company ?? "",
    addressLines: streets,
    locality: place,
    administrativeArea: region ?? "",
    // Some countries write letters before it, such as FI-00100.
    postalCode: lineOf("postalCode") === "?" ? zip : zip.replace(/^[A-Z]{1,2}[- ]?(?=\d+$)/i, ""),
  });
  // What joins a part to the one before it stays when that ends the line above.
  return [...lines.map((line) => line.replace(/^[, ]+/, "")), countryLine ?? ""].filter(Boolean);
}
