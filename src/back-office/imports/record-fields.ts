import { sql } from "drizzle-orm";
import type * as z from "zod";
import { distinctTags } from "../../domain/tags.ts";
import { beginningInWords, fold } from "../../domain/text.ts";
import type { Database } from "../../platform/db/client.ts";
import { spelledTags } from "../../platform/db/tags.ts";
import { toFieldErrors } from "../../platform/http/error-messages.ts";
import type { RowFailure } from "../../platform/jobs/run-slice.ts";
import { problemOf } from "./reading/numbers.ts";

type Fields = Record<string, unknown>;

/** Maximum text lengths, and whether each text is a single line. */
export type TextLimits = Readonly<Record<string, { most: number; isLine: boolean }>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;

/** Makes texts storable: control characters within a line become spaces, and long texts are cut, with a warning. */
export function fitted(line: number, fields: Fields, limits: TextLimits): { fields: Fields; warnings: RowFailure[] } {
  const warnings: RowFailure[] = [];
  const changed: Fields = {};
  for (const [name, { most, isLine }] of Object.entries(limits)) {
    const sent = fields[name];
    if (typeof sent !== "string") continue;
    const text = isLine ? sent.replaceAll(CONTROLS, " ").trim() : sent;
    const message = `is longer than ${most} characters and was shortened`;
    changed[name] = text;
    if (text.length <= most) continue;
    warnings.push({ line, field: name, code: "too_big", message, isWarning: true });
    changed[name] = beginningInWords(text, most);
  }
  return { fields: { ...fields, ...changed }, warnings };
}

/** Normalizes enum values to the API's spelling: lower case, trimmed. */
export const inSmallLetters = (fields: Fields, names: readonly string[]): Fields => ({
  ...fields,
  ...Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      return typeof value === "string" ? [[name, value.trim().toLowerCase()]] : [];
    }),
  ),
});

/** Returns the errors of a row by field. Unreadable numbers include the reason. */
export const failuresOf = (
  line: number,
  issues: readonly z.core.$ZodIssue[],
  input: Record<string, unknown>,
): RowFailure[] => {
  const problems = new Map(issues.flatMap((issue) => numberProblem(issue, input)));
  return toFieldErrors(issues, input).map(({ field, code, message }) => ({
    line,
    field,
    code,
    message,
    ...problems.get(field),
  }));
};

/** Returns why a field's text is not a valid number. */
function numberProblem(issue: z.core.$ZodIssue, input: Record<string, unknown>) {
  const field = String(issue.path[0]);
  const sent = issue.path.length === 1 && isNumberExpected(issue) ? input[field] : undefined;
  const problem = typeof sent === "string" ? problemOf(sent) : null;
  return problem ? [[field, problem] as const] : [];
}

const isNumberExpected = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && (issue.expected === "number" || issue.expected === "int");

/** Returns a record's tags, in the spelling of existing ones or of an earlier record. */
export type TagSpelling = (tags: string[]) => string[];

/** The tags of a record, before its fields are validated. */
const tagsIn = ({ tags }: Fields): string[] =>
  Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];

/** Selects the tags of a slice of records, in the spelling of existing ones. */
export const selectSpelling = (db: Database, records: readonly { sent: Fields }[]) =>
  db.select({ tags: spelledTags(distinctTags(records.flatMap(({ sent }) => tagsIn(sent)))) }).from(sql`(SELECT 1)`);

export function tagSpelling(known: string[]): TagSpelling {
  const spelling = new Map(known.map((tag) => [fold(tag), tag]));
  return (tags) => distinctTags(tags).map((tag) => spelling.get(fold(tag)) ?? tag);
}

/** A record with its tags in the shop's spelling. Tags that are not texts remain, and validation refuses them. */
export const withSpelledTags = <Sent extends Fields>(sent: Sent, spelled: TagSpelling): Sent =>
  Array.isArray(sent.tags) && tagsIn(sent).length === sent.tags.length
    ? { ...sent, tags: spelled(tagsIn(sent)) }
    : sent;
