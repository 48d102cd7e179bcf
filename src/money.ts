import * as z from "zod";
import { unlessMissing } from "./http/fields.ts";

// Inside, money is an integer of minor units; on the wire it is a JSON number with at most two decimals.

/** 9,999,999.99: a hundred lines of ten thousand such pieces still add up within a safe integer. */
const MAX_MINOR = 999_999_999;

export const toDecimal = (minor: number): number => minor / 100;

export const toDecimalOrNull = (minor: number | null): number | null => (minor === null ? null : toDecimal(minor));

/** For messages: "12.50". */
export const inWords = (minor: number): string => toDecimal(minor).toFixed(2);

/** A price on the wire, read as minor units. */
export const Price = z
  .number(unlessMissing("must be a number"))
  .min(0, "must not be negative")
  .max(toDecimal(MAX_MINOR), { error: `must be at most ${inWords(MAX_MINOR)}`, abort: true })
  .refine((price) => Number(price.toFixed(2)) === price, "must have at most two decimals")
  .transform((price) => Math.round(price * 100));

/** The same in a query, where everything is a string. */
export const PriceText = z
  .string("must be a price such as 12.50")
  .regex(/^\d{1,7}(\.\d{1,2})?$/, "must be a price such as 12.50")
  .transform((price) => Math.round(Number(price) * 100));
