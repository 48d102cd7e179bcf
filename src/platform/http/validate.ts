import { zValidator } from "@hono/zod-validator";
import type { Env as AnyEnv, Context, MiddlewareHandler, ValidationTargets } from "hono";
import type * as z from "zod";
import { badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import { bodyText, hasMoreParts } from "./body-parsing.ts";
import { MAX_ERRORS, toFieldErrors } from "./error-messages.ts";
import { describeRoute } from "./route-description.ts";
import { dropNulls, dropRepeated, isFields, isRepeated, type ReadsStored } from "./sent-back.ts";
import { requireMatch } from "./version.ts";

/**
 * Parses a part of the request into the shape of `c.req.valid(target)`, or responds with a 400 by field. `documented` is the
 * shape in the document, if the handler checks more.
 */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
  documented: z.ZodType = schema,
) {
  const parse = zValidator(target, schema, async (result, c) => {
    if (result.success) {
      if (target === "json") refusePrototypeKeysInBody(await c.req.text());
      return;
    }
    if (target === "json") throw new RefusedBody(result.data, result.error.issues);
    const errors = toFieldErrors(result.error.issues, result.data);
    throw badRequest(target === "query" ? errors.map((error) => orRepeated(error, result.data)) : errors);
  });
  type ParsedInput = Parameters<typeof parse>[0] extends Context<infer _Env, infer _Path, infer Input> ? Input : never;
  const parseOrReadAgain: MiddlewareHandler<AnyEnv, string, ParsedInput, Response> = async (c, next) => {
    await requireFewParts(c, target);
    try {
      await parse(c, nothing);
    } catch (error) {
      if (!(error instanceof RefusedBody)) throw error;
      const again = await readAgain(c, schema, error.sent, error.issues);
      refusePrototypeKeysInBody(await c.req.text());
      if (again instanceof Response) return again;
      c.req.addValidatedData(target, Object(again));
    }
    return next();
  };
  return describeRoute(parseOrReadAgain, { reads: [{ target, schema: documented }] });
}

const nothing = async () => undefined;

/** A body that does not fit its schema, as it was sent. */
class RefusedBody extends Error {
  readonly sent: unknown;
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(sent: unknown, issues: readonly z.core.$ZodIssue[]) {
    super("The body does not fit its schema");
    this.sent = sent;
    this.issues = issues;
  }
}

type Parts = { [Target in keyof ValidationTargets]?: z.ZodType };

/** Parses several parts of the request in their order, each like `validate`. */
export function validateAll<Schemas extends Parts>(schemas: Schemas) {
  const reads = Object.entries(schemas).map(([target, schema]) => ({ target: target as keyof Parts, schema }));
  const parsers: MiddlewareHandler[] = reads.map(({ target, schema }) => validate(target, schema));
  type ParsedInput = { out: { [Target in keyof Schemas]: z.output<Schemas[Target]> } };
  const parse: MiddlewareHandler<AnyEnv, string, ParsedInput> = async (c, next) => {
    for (const parser of parsers) {
      const answer = await parser(c, nothing);
      if (answer) return answer;
    }
    return next();
  };
  return describeRoute(parse, { reads });
}

/**
 * Parses a refused body without what it only repeats of the stored resource, and without nulls for what is unset. Responds
 * with the resource if nothing is left.
 */
async function readAgain<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  sent: unknown,
  issues: readonly z.core.$ZodIssue[],
): Promise<z.output<Schema> | Response> {
  const readStored: ReadsStored["readStored"] = c.var.readStored;
  const stored = isFields(sent) && Object.keys(sent).length > 0 ? await readStored?.() : undefined;
  if (stored === null) throw badRequest(toFieldErrors(issues, sent));
  const fields = Object.keys(Object(sent)).length;
  const readOnly = isFields(sent) && stored ? dropRepeated(sent, stored.envelope.data, issues) : [];
  const hasRepeated = Object.keys(Object(sent)).length < fields;
  const isUnchanged = stored && hasRepeated && isFields(sent) && isRepeated(sent, stored.envelope.data);
  if (isUnchanged && readOnly.length === 0) {
    const { envelope, etag } = stored;
    if (etag === null) return c.json(envelope);
    requireMatch(c.req.header("If-Match"), etag);
    return c.json(envelope, 200, { ETag: etag });
  }
  dropNulls(schema, sent, stored?.envelope.data);
  const result = await schema.safeParseAsync(sent);
  if (result.success && readOnly.length === 0) return result.data;
  const errors = result.success || isUnchanged ? [] : toFieldErrors(result.error.issues, sent);
  throw badRequest([...readOnly, ...errors].slice(0, MAX_ERRORS));
}

/** Parses input from elsewhere, such as a header or form, or throws a 400 by field. */
export function valid<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw badRequest(toFieldErrors(result.error.issues, input));
  refusePrototypeKeys(input);
  return result.data;
}

/** Replaces the error of a parameter that was sent more than once. A parameter that takes a list can have too many values. */
function orRepeated(error: FieldError, query: unknown): FieldError {
  const isRefusable = !["unknown_field", "too_big"].includes(error.code);
  return isRefusable && Array.isArray(Reflect.get(Object(query), error.field))
    ? fieldError(error.field, "repeated", "was sent more than once")
    : error;
}

/**
 * Maximum number of values in a JSON body, including nested ones: a change of a thousand rows has slightly more than a
 * thousand.
 */
const MOST_VALUES = 5_000;

const MOST_PARAMETERS = 200;

/** Refuses a request with too many parts before parsing, since each part is validated. */
async function requireFewParts({ req }: Context, target: keyof ValidationTargets): Promise<void> {
  if (target === "json" && hasMoreValues(await bodyText(req, "invalid_json"), MOST_VALUES)) {
    throw badRequest(fieldError("body", "too_big", `must have at most ${MOST_VALUES} values`, { limit: MOST_VALUES }));
  }
  if (target === "query" && hasMoreParts(req.url, MOST_PARAMETERS)) {
    throw badRequest(
      fieldError("query", "too_big", `must have at most ${MOST_PARAMETERS} parameters`, { limit: MOST_PARAMETERS }),
    );
  }
}

/** True if a JSON text has more than `most` values: each but the first follows a comma or opens a list or object. */
export function hasMoreValues(text: string, most: number): boolean {
  // A value and its separator are at least two characters.
  if (text.length <= 2 * most) return false;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length && values <= most; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (character === "\\") at++;
    else if (!isInString && (character === "," || character === "[" || character === "{")) values++;
  }
  return values > most;
}

const KEY = "__proto__";

/** Refuses a key `__proto__` at any depth. `z.record` drops it silently, and a dropped filter would match everything. */
function refusePrototypeKeys(sent: unknown): void {
  const left = [{ value: sent, prefix: "" }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, prefix } = next;
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, KEY)) {
      throw badRequest(fieldError(prefix + KEY, "unknown_field", "is not a known field"));
    }
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === "object") left.push({ value: part, prefix: `${prefix}${key}.` });
    }
  }
}

/** Refuses a key `__proto__` in a parsed JSON body. Most texts cannot contain one and are not parsed again. */
export function refusePrototypeKeysInBody(text: string): void {
  if (/__proto__|\\u/.test(text)) refusePrototypeKeys(JSON.parse(text));
}
