import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";
import * as z from "zod";
import { Country } from "./countries.ts";
import { line } from "./fields.ts";
import { Phone } from "./phone.ts";

/** What a postal address is made of. Four of its parts are always there. */
export const addressFields = {
  name: line(100).describe("Name of the recipient"),
  company: line(100).nullish(),
  address: line(200).describe("Street and number"),
  address2: line(200).nullish().describe("Flat, floor, care of"),
  city: line(100),
  region: line(100).nullish().describe("State or province"),
  zip: line(20).describe("Postal code. Must be valid for the country, if one is sent"),
  country: Country.nullish(),
  phone: Phone.nullish().describe("Telephone number for the carrier"),
};

/** Their names, which are those of the columns of the address book too. */
export const addressParts = Object.keys(addressFields);

type Postal = { zip: string; country?: string | null | undefined };

/** Whether the postal code is written as in its country, as far as both are known. */
export const isZipOfCountry = ({ zip, country }: Postal): boolean =>
  !country || !postcodeValidatorExistsForCountry(country) || postcodeValidator(zip, country);

export const ZIP_WORDS = "is no postal code of the country";

export const Address = z
  .strictObject(addressFields)
  .refine(isZipOfCountry, { path: ["zip"], error: ZIP_WORDS })
  .meta({ id: "PostalAddress" });
export type Address = z.output<typeof Address>;

/** An address in an answer: all of its parts, null where one is not known. */
export const ShownAddress = z.object({
  name: z.string(),
  company: z.string().nullable(),
  address: z.string(),
  address2: z.string().nullable(),
  city: z.string(),
  region: z.string().nullable(),
  zip: z.string(),
  country: z.string().nullable(),
  phone: z.string().nullable(),
} satisfies Record<keyof Address, z.ZodType>);

export const toShownAddress = (address: Address): z.output<typeof ShownAddress> => ({
  name: address.name,
  company: address.company ?? null,
  address: address.address,
  address2: address.address2 ?? null,
  city: address.city,
  region: address.region ?? null,
  zip: address.zip,
  country: address.country ?? null,
  phone: address.phone ?? null,
});
