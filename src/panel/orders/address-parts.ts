import type { Address } from "../../domain/address.ts";
import { countryName } from "../../domain/countries.ts";
import { type FieldKind, optional, orNull, text } from "../forms/kinds.ts";
import { countryOrCode } from "../forms/places.ts";

type Part = { label: string; required: boolean; maxlength: number };

/** The parts of a postal address as the order page has them, in the order in which people write them. */
export const addressParts = {
  name: { label: "Name", required: true, maxlength: 100 },
  company: { label: "Company", required: false, maxlength: 100 },
  address: { label: "Address", required: true, maxlength: 200 },
  address2: { label: "Address, second line", required: false, maxlength: 200 },
  zip: { label: "Postal code", required: false, maxlength: 20 },
  city: { label: "City", required: true, maxlength: 100 },
  region: { label: "Region", required: false, maxlength: 100 },
  country: { label: "Country", required: false, maxlength: 100 },
  phone: { label: "Phone", required: false, maxlength: 40 },
} satisfies Record<keyof Address, Part>;

/** The kinds of the form's fields for the parts of `noun`, an address. */
export const addressKinds = (noun: string): Record<string, FieldKind> =>
  Object.fromEntries(
    Object.entries(addressParts).map(([part, { required }]) => [
      `${noun}.${part}`,
      part === "country" ? orNull(countryOrCode) : required ? text : orNull(optional),
    ]),
  );

/** What the form's fields hold of `noun`, an address. */
export const addressValues = (noun: string, address: Partial<Address> | null): Record<string, string> =>
  Object.fromEntries(
    Object.keys(addressParts).map((part) => {
      const written: string = Reflect.get(address ?? {}, part) ?? "";
      return [`${noun}.${part}`, part === "country" && written ? countryName(written) : written];
    }),
  );
