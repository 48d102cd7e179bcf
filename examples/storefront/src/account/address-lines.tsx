import type { Schema } from "storefront/client";
import { countryName } from "../parts/countries.ts";

/** An address as it is written on a parcel. */
export const AddressLines = ({ address }: { address: Schema["PostalAddress"] }) => {
  const { name, company, address: street, address2, city, zip, region, country, phone } = address;
  const place = [zip, city, region].filter(Boolean).join(" ");
  const lines = [name, company, street, address2, place, country && countryName(country), phone].filter(Boolean);
  return (
    <address class="postal">
      {lines.map((line) => (
        <span dir="auto">{line}</span>
      ))}
    </address>
  );
};
