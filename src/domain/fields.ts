import * as z from "zod";
import { trimmed } from "./characters.ts";

// Shapes that many schemas share.

/** A schema's own message for a wrong value; a missing one is reported as required. */
export const unlessMissing = (words: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? "is required" : words),
});

/** The JSON Schema of what is sent, where its zod schema reads it in steps that say less. */
export const documented = (schema: Record<string, unknown>): Record<string, unknown> => ({
  override: { pattern: undefined, ...schema },
});

/** A whole number in a query or a path, where everything is a string. */
export const wholeNumber = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z
    .string(unlessMissing(words))
    .regex(/^\d{1,16}$/, { error: words, abort: true })
    .transform(Number)
    .pipe(z.number().min(least, words).max(most, words))
    .meta(documented({ type: "integer", minimum: least, maximum: most }));
};

/** An id in a path or a query. */
export const IdText = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** An id in a body. */
export const Id = z.int(unlessMissing("must be a whole number")).min(1);

export const IdParam = z.object({ id: IdText });

/** The body or query of a request without parameters: fields are refused, since their sender expects an effect. */
export const Nothing = z.strictObject({});

/** Without \p{Cc}: not every language that reads the document knows that class, nor the flag that it needs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NO_CONTROLS = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** Text that is kept. Half of a surrogate pair, which JSON can write and UTF-8 cannot, would be stored as something else. */
export const Text = z.string().refine((text) => text.isWellFormed(), "must not contain half of a surrogate pair");

/** A line of text that may be empty, without control characters, and without spaces and invisible marks around it. */
export const lineOrEmpty = (most: number) =>
  Text.overwrite(trimmed).max(most, { abort: true }).regex(NO_CONTROLS, "must not contain control characters");

/** One line of text without control characters, and without spaces and invisible marks around it. */
export const line = (most: number) => lineOrEmpty(most).min(1, "must not be empty");

const momentWords = "must be a moment such as 2030-01-31T12:00:00Z";

/** A moment as it is sent: ISO 8601 with its offset, read as epoch milliseconds. */
export const Moment = z
  .string(unlessMissing(momentWords))
  .pipe(z.iso.datetime({ offset: true, error: momentWords }))
  .transform((text) => Date.parse(text))
  .meta(documented({ type: "string", format: "date-time" }));

/** A moment on the wire: ISO 8601 in UTC. */
export const Timestamp = z.string().meta({ format: "date-time" });

export const iso = (moment: number): string => new Date(moment).toISOString();

export const isoOrNull = (moment: number | null): string | null => (moment === null ? null : iso(moment));
