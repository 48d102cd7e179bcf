import type { Schema } from "@storefront-worker/api/client";
import { formatAddress } from "localized-address-format";
import { countryName } from "./countries.ts";

type Address = NonNullable<Schema["Order"]["shipping_address"]>;

/** The lines of an address as it is written in its country, without the telephone number. */
export function linesOf({ name, company, address: street, address2, city, zip, region, country }: Address): string[] {
  const isLocal = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(street + city);
  const lines = formatAddress(
    {
      ...(country && { postalCountry: country }),
      name,
      organization: company ?? "",
      // A single value, because formatAddress would break the line after the last of several.
      addressLines: [[street, address2].filter(Boolean).join("\n")],
      locality: city,
      administrativeArea: region ?? "",
      postalCode: zip ?? "",
    },
    isLocal ? "local" : "latin",
  );
  return [...lines.flatMap((line) => line.split("\n")), country ? countryName(country) : ""].filter(Boolean);
}

export const AddressLines = ({ address }: { address: Address }) => (
  <address class="postal">
    {linesOf(address).map((line) => (
      <span dir="auto">{line}</span>
    ))}
  </address>
);
