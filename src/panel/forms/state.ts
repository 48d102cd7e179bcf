import type { FieldErrors } from "../../errors.ts";

/** A form as a page shows it: what stands in its fields, and what was wrong with them when it was refused. */
export type FormState = {
  /** Where it is sent, which also tells the forms of one page apart. */
  action: string;
  values: Record<string, readonly string[]>;
  errors: FieldErrors;
  /** Why it was refused as a whole; null while it was not. */
  message: string | null;
};

type Initial = string | number | boolean | null | readonly (string | number)[];

/** The form that is sent to `action`: as it was refused, if it was, else with what it begins with. */
export function formFor(failed: FormState | null, action: string, initial: Record<string, Initial> = {}): FormState {
  if (failed?.action === action) return failed;
  const values = Object.entries(initial).map(([name, value]) => [name, toStrings(value)]);
  return { action, values: Object.fromEntries(values), errors: {}, message: null };
}

/** As a browser sends it: a box that is not ticked, like a field without a value, sends nothing. */
function toStrings(value: Initial): readonly string[] {
  if (value === null || value === false) return [];
  if (value === true) return ["true"];
  return typeof value === "object" ? value.map(String) : [String(value)];
}

/** What is wrong with a field, or with any part of it: `permissions.2` is one of `permissions`. */
export const errorsOf = ({ errors }: FormState, name: string): string[] =>
  Object.entries(errors).flatMap(([field, words]) => (field === name || field.startsWith(`${name}.`) ? words : []));

/** An id that no other form's field has on the page. */
export const idOf = ({ action }: FormState, name: string): string =>
  `${action}/${name}`.replace(/[^\w]+/g, "-").replace(/^-/, "");

/** Whether a list's filters ask for less than everything. */
export const isNarrowed = ({ values }: FormState): boolean => Object.values(values).some(([value]) => Boolean(value));
