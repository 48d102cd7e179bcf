import { zValidator } from "@hono/zod-validator";
import type { ValidationTargets } from "hono";
import type * as z from "zod";
import { badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import { refusePrototypeKeys, refusePrototypeKeysInBody, requireFewParts } from "./bounds.ts";
import { toFieldErrors } from "./error-messages.ts";
import { describeRoute } from "./route-description.ts";

/** Parses a part of the request into the shape of `c.req.valid(target)`, or responds with a 400 by field. */
export const validate = <Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) => {
  const parse = zValidator(target, schema, async (result, c) => {
    if (result.success) {
      if (target === "json") refusePrototypeKeysInBody(await c.req.text());
      return;
    }
    const errors = toFieldErrors(result.error.issues, result.data);
    throw badRequest(target === "query" ? errors.map((error) => orRepeated(error, result.data)) : errors);
  });
  const parseIfFew: typeof parse = async (c, next) => {
    await requireFewParts(c, target);
    return parse(c, next);
  };
  return describeRoute(parseIfFew, { reads: { target, schema } });
};

/** Parses input from elsewhere, such as a header or form, or throws a 400 by field. */
export function valid<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw badRequest(toFieldErrors(result.error.issues, input));
  refusePrototypeKeys(input);
  return result.data;
}

/** No parameter is a list, so a list means that the parameter was sent more than once. */
function orRepeated(error: FieldError, query: unknown): FieldError {
  const isKnown = error.code !== "unknown_field";
  return isKnown && Array.isArray(Reflect.get(Object(query), error.field))
    ? fieldError(error.field, "repeated", "was sent more than once")
    : error;
}
