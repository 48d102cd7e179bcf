import type { Address } from "../../domain/address.ts";

type Part = { label: string; required: boolean; maxlength: number };

/** The parts of a postal address as the order page has them, in the order in which people write them. */
export const addressParts = {
  name: { label: "Name", required: true, maxlength: 100 },
  company: { label: "Company", required: false, maxlength: 100 },
  address: { label: "Address", required: true, maxlength: 200 },
  address2: { label: "Address, second line", required: false, maxlength: 200 },
  zip: { label: "Zip", required: true, maxlength: 20 },
  city: { label: "City", required: true, maxlength: 100 },
  region: { label: "Region", required: false, maxlength: 100 },
  country: { label: "Country code", required: false, maxlength: 2 },
  phone: { label: "Phone", required: false, maxlength: 40 },
} satisfies Record<keyof Address, Part>;
