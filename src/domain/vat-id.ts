import * as z from "zod";
import { isInEuropeanUnion } from "./place.ts";

/**
 * Forms of the numbers by country code, from the Commission's list (ec.europa.eu/taxation_customs/vies, FAQ Q11). Greece
 * writes EL, and Northern Ireland XI.
 */
const forms: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(?:\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{2})$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
};

const isVatId = (text: string): boolean =>
  forms[text.slice(0, 2)]?.test(text.slice(2)) ?? /^[A-Z]{2}[A-Z0-9]{2,20}$/.test(text);

/** ISO 3166-1 code of the member state that issued a VAT ID. Undefined outside the European Union. */
export function countryOfVatId(vatId: string): string | undefined {
  const country = vatId.startsWith("EL") ? "GR" : vatId.slice(0, 2);
  return isInEuropeanUnion(country) ? country : undefined;
}

/** A VAT ID with its country code, written without spaces, dots and hyphens. Those of other countries have any form. */
export const VatId = z
  .string()
  .transform((text) => text.toUpperCase().replaceAll(/[\s.-]/g, ""))
  .refine(isVatId, "must be a VAT ID with its country code, such as DE123456789")
  .meta({ override: { type: "string", maxLength: 30 } });
