import * as z from "zod";
import { coded, documented, iso, Moment, unlessMissing, wholeNumber } from "./fields.ts";
import { addDays, DAY_MS, dayIn, startOfDay } from "./time.ts";

const words = "must be a day such as 2030-01-31 or a time such as 2030-01-31T12:00:00Z";

/** A time, or a day (UTC) `daysAfter` days after its beginning. */
const dayOrMoment = (daysAfter: number) =>
  z
    .string(unlessMissing(words))
    .refine((text) => z.iso.date().safeParse(text).success || Moment.safeParse(text).success, words)
    .transform((text) => Date.parse(text) + (text.includes("T") ? 0 : daysAfter * DAY_MS))
    .meta(documented({ type: "string" }));

/** Query parameters for a list with dates, to be spread into the list's own. */
export const spanFields = {
  from: dayOrMoment(0).optional().describe("Start of the period: a time, or a day from its beginning (UTC)"),
  to: dayOrMoment(1).optional().describe("End of the period: before this time, or until the end of this day (UTC)"),
  days: wholeNumber(1, 3_660)
    .optional()
    .describe("Number of days up to and including today (UTC). Replaces `from` and `to`"),
};

export type SpanQuery = { from?: number | undefined; to?: number | undefined; days?: number | undefined };

/** Arguments of `refine` that refuse `days` together with `from` or `to`. */
export const oneSpan: [(query: SpanQuery) => boolean, { path: string[]; error: string; params: object }] = [
  ({ from, to, days }) => days === undefined || (from ?? to) === undefined,
  { path: ["days"], error: "cannot be combined with from or to", ...coded("not_applicable") },
];

/**
 * Typed filters with the days of a time zone as times, for the fields above, whose own days are in UTC. Invalid days
 * remain, so that the schema refuses them.
 */
export function daysOfZone({ from, to, days, ...others }: Record<string, string>, zone: string, now: number) {
  const start = (day: string, later: number) =>
    z.iso.date().safeParse(day).success ? iso(startOfDay(zone, addDays(day, later))) : day;
  if (days !== undefined && from === undefined && to === undefined && /^[1-9]\d{0,2}$/.test(days))
    return { ...others, from: iso(startOfDay(zone, addDays(dayIn(zone, now), 1 - Number(days)))) };
  return {
    ...others,
    ...(days !== undefined && { days }),
    ...(from !== undefined && { from: start(from, 0) }),
    ...(to !== undefined && { to: start(to, 1) }),
  };
}

export const hasSpan = ({ from, to, days }: SpanQuery): boolean => (from ?? to ?? days) !== undefined;

/** First moment of the span and first moment after it. Undefined for an open end. */
export const spanOf = ({ from, to, days }: SpanQuery, now: number): Pick<SpanQuery, "from" | "to"> =>
  days === undefined ? { from, to } : { from: now - (now % DAY_MS) - (days - 1) * DAY_MS, to };
