import type { Context } from "hono";
import type * as z from "zod";
import { ApiError } from "../../errors.ts";
import { valid } from "../../http/validate.ts";
import { valuesOf } from "./read-form.ts";
import type { FormState } from "./state.ts";

/**
 * A list's filters as they stand in the address, by the API's schema. What that refuses stands in the form with the reason,
 * and the list is shown as if nothing had been asked for.
 */
export function readQuery<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): { query: z.output<Schema>; form: FormState } {
  const sent = [...new URL(c.req.url).searchParams].filter(([, value]) => value.trim() !== "");
  const form = { action: c.req.path, values: valuesOf(new URLSearchParams(sent)), errors: {}, message: null };
  try {
    return { query: valid(schema, Object.fromEntries(sent)), form };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { query: valid(schema, {}), form: { ...form, errors: error.errors, message: error.message } };
  }
}
