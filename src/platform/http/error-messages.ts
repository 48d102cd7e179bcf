import * as z from "zod";
import { type FieldError, fieldError } from "../../domain/errors.ts";
import { ruleOf } from "../../domain/fields.ts";

// Replaces zod's messages, which are written for programmers. A schema's own message takes precedence.
z.config({ customError: sentence });

/** Maximum number of errors in a response. */
export const MAX_ERRORS = 20;

/** Field errors of the first problems. */
export const toFieldErrors = (issues: readonly z.core.$ZodIssue[], input: unknown): FieldError[] =>
  issues
    .slice(0, MAX_ERRORS)
    .flatMap((issue) => errorsOf(issue, input))
    .slice(0, MAX_ERRORS);

/** An unknown field is its own error. */
function errorsOf(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, MAX_ERRORS)
      .map((key) => fieldError([...path, key].join("."), "unknown_field", "is not a known field"));
  }
  if (issue.code === "invalid_key") {
    return issue.issues.map((wrong) => {
      const error = errorOf(wrong, path.join("."), false);
      return { ...error, message: `has a name that ${error.message}` };
    });
  }
  const isMissing = path.reduce(valueIn, input) === undefined;
  return [errorOf(issue, path.join(".") || "body", isMissing)];
}

const valueIn = (whole: unknown, key: string): unknown => Reflect.get(Object(whole), key);

function errorOf(issue: z.core.$ZodIssue, field: string, isMissing: boolean): FieldError {
  const { message } = issue;
  // A rule about several fields may name one that is missing.
  const hasCode = issue.code === "custom" && issue.params !== undefined;
  if (isMissing && !hasCode) return fieldError(field, "required", message);
  switch (issue.code) {
    case "invalid_type":
      return fieldError(field, "invalid_type", message, { expected: jsonType(issue.expected) });
    case "too_small":
      return fieldError(field, "too_small", message, { limit: Number(issue.minimum) });
    case "too_big":
      return fieldError(field, "too_big", message, { limit: Number(issue.maximum) });
    case "invalid_value":
      return fieldError(field, "invalid_value", message, { allowed: issue.values.map(toJson) });
    case "invalid_format":
      return fieldError(field, "invalid_format", message);
    case "custom":
      return fieldError(field, ruleOf(issue), message);
    default:
      return fieldError(field, "invalid", message);
  }
}

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    // Reported key by key; zod's own message would join all keys.
    case "unrecognized_keys":
      return "has unknown fields";
    case "invalid_type":
      return `must be ${articles[jsonType(issue.expected)] ?? issue.expected}`;
    case "too_small":
      return `must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format === "email" ? "must be an e-mail address" : "has the wrong format";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return "is not valid";
  }
}

const toJson = (value: z.core.util.Primitive) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
    ? value
    : String(value);

/** JSON's name of a type that zod names otherwise. */
const jsonType = (expected: string): string =>
  ({ record: "object", map: "object", tuple: "array", nan: "number" })[expected] ?? expected;

const articles: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
  date: "a date",
};

const bound = (origin: string): string => (origin === "string" || origin === "array" ? "have" : "be");

function unit(origin: string, count: number | bigint): string {
  const noun = { string: " character", array: " item" }[origin];
  if (noun === undefined) return "";
  return Number(count) === 1 ? noun : `${noun}s`;
}
