import { formatAddress } from "localized-address-format";
import type { Schema } from "storefront/client";
import { countryName } from "./countries.ts";

/** An address as it is written in its country, without the telephone number. */
export const AddressLines = ({ address }: { address: NonNullable<Schema["Order"]["shipping_address"]> }) => {
  const { name, company, address: street, address2, city, zip, region, country } = address;
  const isLocal = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(street + city);
  const lines = formatAddress(
    {
      ...(country && { postalCountry: country }),
      name,
      organization: company ?? "",
      // One value: formatAddress would break the line after the last of several.
      addressLines: [[street, address2].filter(Boolean).join("\n")],
      locality: city,
      administrativeArea: region ?? "",
      postalCode: zip ?? "",
    },
    isLocal ? "local" : "latin",
  );
  return (
    <address class="postal">
      {[...lines.flatMap((line) => line.split("\n")), country && countryName(country)].filter(Boolean).map((line) => (
        <span dir="auto">{line}</span>
      ))}
    </address>
  );
};
