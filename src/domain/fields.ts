import * as z from "zod";
import { storedAsNumber } from "./record.ts";
import { addDays, DAY_MS, dayIn, startOfDay } from "./time.ts";

// Shapes shared by many schemas.

/** A schema's own message for a wrong value. A missing value is reported as required. */
export const unlessMissing = (words: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? "is required" : words),
});

/** Overrides the JSON Schema of an input that zod reads in steps. */
export const documented = (schema: Record<string, unknown>): Record<string, unknown> => ({
  override: { pattern: undefined, ...schema },
});

/** A whole number in a query or path, where every value is a string. */
export const wholeNumber = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z
    .string(unlessMissing(words))
    .regex(/^\d{1,16}$/, { error: words, abort: true })
    .transform(Number)
    .pipe(z.number().min(least, words).max(most, words))
    .meta(documented({ type: "integer", minimum: least, maximum: most }));
};

/** Maximum quantity of one line of a cart or an order. */
export const MAX_QUANTITY = 1_000;

const words = `must be a whole number from 1 to ${MAX_QUANTITY}`;

/** An id in a path or a query. */
export const IdText = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** An id in a body. */
export const Id = z.int(unlessMissing("must be a whole number")).min(1);

/** A boolean in a query. */
export const BooleanText = z.enum(["true", "false"]).transform((text) => text === "true");

export const IdParam = z.object({ id: IdText });

/** The body or query of a request without parameters. Fields are refused, because their sender expects an effect. */
export const Nothing = z.strictObject({});

/** Written without \p{Cc}, which some languages that read the document do not support. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NO_CONTROLS = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** A line without a separator of lists, documented as one pattern because generators take no `allOf` of two. */
export const lineWithout = (separator: "," | ">", most: number, words: string) =>
  line(most)
    .regex(new RegExp(`^[^${separator}]*$`), words)
    .meta({
      override: ({ jsonSchema }) => {
        delete jsonSchema.allOf;
        jsonSchema.pattern = NO_CONTROLS.source.replace("[^", `[^${separator}`);
      },
    });

/** Text to be stored. Half of a surrogate pair, which is possible in JSON but not in UTF-8, is refused. */
export const Text = z.string().refine((text) => text.isWellFormed(), "must not contain an unpaired surrogate");

/** A line of text without control characters, trimmed of spaces and invisible marks. May be empty. */
export const lineOrEmpty = (most: number) =>
  Text.overwrite(trimmed).max(most, { abort: true }).regex(NO_CONTROLS, "must not contain control characters");

/** A line of text without control characters, trimmed of spaces and invisible marks. */
export const line = (most: number) => lineOrEmpty(most).min(1, "must not be empty");

const DAY_OR_TIME = "must be a day such as 2030-01-31 or a time such as 2030-01-31T12:00:00Z";

const DAY_OR_TIME_PATTERN = new RegExp(`${z.regexes.date.source}|${z.regexes.datetime({ offset: true }).source}`);

/** A time, or a day (UTC) `daysAfter` days after its beginning, converted to epoch milliseconds. */
const dayOrMoment = (daysAfter: number) =>
  z
    .string(unlessMissing(DAY_OR_TIME))
    .regex(DAY_OR_TIME_PATTERN, DAY_OR_TIME)
    .transform((text) => Date.parse(text) + (text.includes("T") ? 0 : daysAfter * DAY_MS))
    .meta(documented({ type: "string" }));

/** A time in a request: ISO 8601 with its offset, or a day from its beginning. */
export const Moment = dayOrMoment(0).meta(documented({ type: "string", format: "date-time" }));

/** A time in a request that ends something: ISO 8601 with its offset, or a day until its end. */
export const EndMoment = dayOrMoment(1).meta(documented({ type: "string", format: "date-time" }));

export const iso = (moment: number): string => new Date(moment).toISOString();

/** A time in a response: ISO 8601 in UTC. */
export const Timestamp = z.string().meta({ format: "date-time" }).register(storedAsNumber, { show: iso });

export const isoOrNull = (moment: number | null): string | null => (moment === null ? null : iso(moment));

/** A space or an invisible mark. At the ends of a text they have no effect, and often come from pasting. */
const SPACE = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/**
 * Removes spaces and invisible marks around a text. Joiners and direction marks inside stay, because names need them. A
 * pattern with `$` would restart at each of many spaces inside.
 */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (start < end && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A decimal digit of any script as ASCII. Each script's digits follow one another from 0 to 9. */
function asciiDigit(digit: string): string {
  let value = 0;
  for (let code = (digit.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code -= 1) value += 1;
  return String(value % 10);
}

/**
 * A number or code in ASCII: replaces full-width forms, digits of other scripts, typographic hyphens and spaces, and removes
 * invisible marks.
 */
export const plainCharacters = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replaceAll(/[\p{Pd}\u2212\u30fc\u2043]/gu, "-")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Maximum number of lines in a cart or an order. */
export const MAX_LINES = 100;

export const Quantity = z.int(unlessMissing(words)).min(1, words).max(MAX_QUANTITY, words);

/** The id of a record in another system, such as an ERP. No two records of a kind share one. */
export const ExternalId = line(100);

/** Short texts that an integration keeps on a record, by name. A change replaces all of them. */
export const Metadata = z
  .record(Text.min(1).max(100), Text.max(1_000))
  .refine((metadata) => Object.keys(metadata).length <= 50, "must have at most 50 entries");

/** A text of `Metadata` in a query: its name, a colon and its value. */
export const MetadataText = Text.max(1_101).regex(/:/, "must be a name and a text, such as channel:market");

/** Short texts on a line of an order. A hundred lines must fit into one value of the database. */
export const LineMetadata = z
  .record(Text.min(1).max(40), Text.max(250))
  .refine((metadata) => Object.keys(metadata).length <= 10, "must have at most 10 entries");

/** Codes that a schema's own rule may use. The default is `invalid`. */
const ruleCodes = [
  "required",
  "too_precise",
  "in_the_past",
  "nothing_to_change",
  "not_applicable",
  "too_common",
  "unknown_field",
  "invalid",
] as const;
type RuleCode = (typeof ruleCodes)[number];

/** An option of `refine` with the error code of the rule. */
export const coded = (code: RuleCode) => ({ params: { code } });

/** Arguments of `refine` that refuse a change without fields. */
export const changesSomething = [
  (change: object) => Object.keys(change).length > 0,
  { error: "must change something", ...coded("nothing_to_change") },
] as const;

/** A change of some of the fields. */
export const partialUpdate = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine(...changesSomething)
    .meta({ id, description: "Fields that are not sent keep their values" });

export const ruleOf = ({ params }: z.core.$ZodIssueCustom): RuleCode =>
  ruleCodes.find((code) => code === params?.code) ?? "invalid";

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

const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

/** Grace period in which the earlier value of a rotated secret still works, in seconds. */
export const graceSeconds = (initial: number) => z.int().min(0).max(MAX_GRACE_SECONDS).default(initial);
