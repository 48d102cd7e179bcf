import * as z from "zod";
import { Country } from "./countries.ts";
import { badRequest, fieldError } from "./errors.ts";
import { line } from "./fields.ts";
import { regionCode } from "./regions.ts";

/** A state or province, by code or name. It becomes a code once its country is known. */
export const Region = line(100).describe(
  "Region: the part of the ISO 3166-2 code after the country, such as NY, or a name",
);

const REGION_WORDS = "is no state or province of the country";

/** A country, or a region of it by code. */
export const Place = z
  .strictObject({ country: Country, region: Region.nullable().default(null) })
  .refine(({ country, region }) => region === null || regionCode(country, region) !== undefined, {
    path: ["region"],
    error: REGION_WORDS,
  })
  .transform(({ country, region }) => ({ country, region: region && (regionCode(country, region) ?? null) }))
  .meta({ id: "Place" });

type Located = { country: string | null; region: string | null };

/**
 * The place after a change, with its region as a code. If the country changes and no region is sent, the region is cleared.
 * `field` is the name of the region's field.
 */
export function placeAfter(
  before: Located,
  sent: { [Name in keyof Located]: Located[Name] | undefined },
  field: string,
): Located {
  const country = sent.country === undefined ? before.country : sent.country;
  const kept = country === before.country ? before.region : null;
  const written = sent.region === undefined ? kept : sent.region;
  if (written === null) return { country, region: null };
  const region = country === null ? undefined : regionCode(country, written);
  if (region === undefined) throw badRequest(fieldError(field, "invalid", REGION_WORDS));
  return { country, region };
}
