import * as z from "zod";
import { Country, countryName } from "./countries.ts";
import { line, lineOrEmpty } from "./fields.ts";
import { normalizePhone, Phone } from "./phone.ts";
import { readPostalCode, requiresPostalCode } from "./postal-code.ts";
import { coded } from "./rules.ts";

/** The parts of a postal address. */
const addressFields = {
  name: line(100).describe("Name of the recipient"),
  company: line(100).nullish(),
  address: line(200).describe("Street and number"),
  address2: line(200).nullish().describe("Flat, floor, care of"),
  city: line(100),
  region: line(100).nullish().describe("State or province"),
  zip: lineOrEmpty(20).nullish().describe("Postal code. Required unless the country has none or does not need one"),
  country: Country.nullish(),
  phone: Phone.nullish().describe("Telephone number for the carrier"),
};

/** A part derived from another one. Requests may send it back unchanged; it has no effect. */
const derivedFields = {
  phone_normalized: z.string().nullish().describe("Read-only: derived from `phone`"),
};

/** Also the names of the address book's columns. */
export const addressParts = Object.keys(addressFields);

/** Shape of an address in a request. */
export const sentAddressFields = { ...addressFields, ...derivedFields };

export const withoutDerived = <Sent extends { phone_normalized?: unknown }>({ phone_normalized: _, ...parts }: Sent) =>
  parts;

type Postal = { zip?: string | null | undefined; country?: string | null | undefined };

const isPostalCodeMissing = ({ zip, country }: Postal): boolean => !zip && (!country || requiresPostalCode(country));

/** The problem of an address without a postal code. Null if it has one or needs none. */
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
  phone: z.string().nullable().describe("Telephone number as it was written"),
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
  phone_normalized: address.phone ? normalizePhone(address.phone) : null,
});
