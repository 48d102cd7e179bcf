import * as z from "zod";
import { MOST_FIELDS_OF_ROWS } from "../forms/read-form.ts";
import type { Values } from "../forms/values.ts";

// A form that comes when the session has ended waits in the sign-in page, as one field of it, until it is shown again.

export const savedFormField = "kept_form";

/** What was typed, but no password: those are never sent to a page. */
export const saveForm = (values: Values): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes("password"))));

const SavedForm = z
  .record(z.string(), z.array(z.string()))
  .refine((fields) => Object.values(fields).flat().length <= MOST_FIELDS_OF_ROWS);

/** The form that a sign-in page carries; null when it carries none. */
export function savedFormIn(sent: Values): Values | null {
  const [saved] = sent[savedFormField] ?? [];
  if (saved === undefined) return null;
  try {
    return SavedForm.parse(JSON.parse(saved));
  } catch {
    return {};
  }
}
