import { zValidator } from "@hono/zod-validator";
import type { ValidationTargets } from "hono";
import type * as z from "zod";
import { badRequest, type FieldErrors } from "../errors.ts";
import { says } from "./contract.ts";
import { wordsOf } from "./words.ts";

/** A body of ten thousand mistakes does not deserve ten thousand messages. */
const MAX_FIELDS = 50;

/** Parses one part of the request into the shape that `c.req.valid(target)` gives, or answers 400 by field. */
export const validate = <Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) =>
  says(
    zValidator(target, schema, (result) => {
      if (!result.success) throw badRequest(fieldErrors(result.error.issues));
    }),
    { reads: { target, schema } },
  );

/** The same for what was read in another way. */
export function valid<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw badRequest(fieldErrors(result.error.issues));
  return result.data;
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // Without a prototype: a field may be called `constructor`.
  const errors: FieldErrors = Object.create(null);
  for (const issue of issues) {
    for (const { field, words } of wordsOf(issue)) {
      if (Object.keys(errors).length >= MAX_FIELDS) return errors;
      errors[field] = [...(errors[field] ?? []), words];
    }
  }
  return errors;
}
