import * as z from "zod";
import { documented, unlessMissing } from "./fields.ts";
import { coded } from "./rules.ts";

// Inside, money is an integer of minor units; on the wire it is a JSON number with at most two decimals.

/** 9,999,999.99: a hundred lines of ten thousand such pieces still add up within a safe integer. */
export const MAX_MINOR = 999_999_999;

/**
 * Money on the wire: in the currency of the deployment, with at most two decimals. Its JSON Schema is a plain number:
 * with a `multipleOf` of 0.01, which no binary float is, validators refuse amounts such as 0.07.
 */
export const Money = z.number();

export const toDecimal = (minor: number): number => minor / 100;

export const toDecimalOrNull = (minor: number | null): number | null => (minor === null ? null : toDecimal(minor));

/** An amount as messages show it: "12.50". */
export const formatAmount = (minor: number): string => toDecimal(minor).toFixed(2);

const leastAmounts = new Map<string, 1 | 100>();

/** The least amount of a currency, in minor units: a yen is a hundred of ours. */
export function leastAmount(currency: string): 1 | 100 {
  const known = leastAmounts.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  const least = maximumFractionDigits === 0 ? 100 : 1;
  leastAmounts.set(currency, least);
  return least;
}

/** An amount of minor units, as people write it: $1,234.50. */
export const formatMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    // No "-$0.00".
    signDisplay: "negative",
  }).format(toDecimal(minor));

const amountFrom = (least: number, words: string) =>
  z
    .number(unlessMissing("must be a number"))
    .min(toDecimal(least), { error: words, abort: true })
    .max(toDecimal(MAX_MINOR), { error: `must be at most ${formatAmount(MAX_MINOR)}`, abort: true })
    .refine((amount) => Number(amount.toFixed(2)) === amount, {
      error: "must have at most two decimals",
      ...coded("too_precise"),
    })
    .transform((amount) => Math.round(amount * 100));

/** A price on the wire, read as minor units. */
export const Price = amountFrom(0, "must not be negative");

/** Money that is paid or given back, read as minor units. */
export const Amount = amountFrom(1, "must be more than 0");

/** What a balance moves by, read as minor units: negative is a debit. */
export const Movement = amountFrom(-MAX_MINOR, `must be at least ${formatAmount(-MAX_MINOR)}`).refine(
  (amount) => amount !== 0,
  "must not be 0",
);

/** A price in a query, where everything is a string, read as minor units. */
export const PriceText = z
  .string("must be a price such as 12.50")
  .regex(/^\d{1,7}(\.\d{1,2})?$/, "must be a price such as 12.50")
  .transform((price) => Math.round(Number(price) * 100))
  .meta(documented({ type: "number", minimum: 0, maximum: toDecimal(MAX_MINOR) }));
