import type { Context } from "hono";
import type * as z from "zod";
import { ApiError } from "../../domain/errors.ts";
import { fieldsByName } from "../../platform/http/form-fields.ts";
import { valid } from "../../platform/http/validate.ts";
import { isTyped } from "../pickers/picker.ts";
import type { FormInputs } from "./inputs.ts";
import { type FormState, formFor } from "./state.ts";

type Filters<Query, Name extends string> = { query: Query; form: FormState<Name> };

/**
 * Reads a list's filters from the page's address: `query` in the API's shape, `form` for its FilterBar. An invalid filter is
 * ignored; it stays in its field with an error, and the page is a 400.
 */
export function readFilters<Schema extends z.ZodType, Name extends keyof z.output<Schema> & string = never>(
  c: Context,
  schema: Schema,
  inputs = {} as FormInputs<Name>,
): Filters<z.output<Schema>, Name> {
  // Browsers send empty fields too.
  const filled = [...new URL(c.req.url).searchParams].filter(([, value]) => value.trim() !== "");
  const values = fieldsByName(filled);
  const form = { ...formFor(null, c.req.path, { inputs }), values };
  const asked = filled.filter(([name]) => !isTyped(name));
  try {
    return { query: valid(schema, Object.fromEntries(asked)), form };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    c.status(400);
    const { errors } = error;
    const good = asked.filter(([name]) => !(name in errors));
    return { query: valid(schema, Object.fromEntries(good)), form: { ...form, errors } };
  }
}
