import * as z from "zod";
import { coded, unlessMissing } from "./fields.ts";

// A percentage is stored as millionths, so 19 % is 190000. In JSON it is a number: 19, or 8.875.

const PER_PERCENT = 10_000;

/** 100 % in millionths. */
export const WHOLE = 1_000_000;

/** A percentage in JSON. */
export const Percentage = z.number().describe("Percentage with at most four decimals: 19 means 19 %");

export const toPercent = (millionths: number): number => millionths / PER_PERCENT;

export const toMillionths = (percent: number): number => Math.round(percent * PER_PERCENT);

export const toPercentOrNull = (millionths: number | null): number | null =>
  millionths === null ? null : toPercent(millionths);

/** A percentage for people: "8.875 %". */
export const formatPercent = (millionths: number, locale = "en"): string =>
  `${toPercent(millionths).toLocaleString(locale, { maximumFractionDigits: 4 })} %`;

const percentFrom = (least: number, words: string, most = 100) =>
  z
    .number(unlessMissing("must be a number"))
    .min(toPercent(least), { error: words, abort: true })
    .max(most, { error: `must be at most ${most}`, abort: true })
    .refine((percent) => Number(percent.toFixed(4)) === percent, {
      error: "must have at most four decimals",
      ...coded("too_precise"),
    })
    .transform(toMillionths);

/** A rate in JSON from 0 to 100, read as millionths. */
export const Rate = percentFrom(0, "must not be negative");

/** A reduction of more than 0 and up to 100 percent, read as millionths. */
export const Reduction = percentFrom(1, "must be more than 0");

/** A percentage change, negative for a decrease, read as millionths. */
export const PercentageChange = percentFrom(-100 * PER_PERCENT, "must be at least -100", 1_000).refine(
  (millionths) => millionths !== 0,
  "must not be 0",
);
