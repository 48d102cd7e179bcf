import type { RefusalCode } from "../../domain/error-codes.ts";
import type { FieldErrors } from "../../domain/errors.ts";
import type { PickerStates } from "../pickers/picker.ts";
import { type Edit, editAfter } from "./edit.ts";
import type { RenderedFields } from "./fields.ts";
import { type Initial, type Values, valuesFrom } from "./values.ts";

/** What came of a form that was not done: what stood in it, and why. */
export type Failed = {
  /** The address that it was sent to, which also identifies one of several forms of a page. */
  action: string;
  values: Values;
  errors: FieldErrors;
  message: string;
  /** The code of the refusal, if it was one. */
  code?: RefusalCode;
  tone: "error" | "warning";
};

/** A form as a page shows it: the values of its fields, and their errors when it was refused. */
export type FormState = Omit<Failed, "message" | "code"> & {
  /** Why it was refused as a whole; null while it was not. */
  message: string | null;
  /** Null for a form that makes something new. */
  edit: Edit | null;
  /** The fields that the page shows, known once it is rendered. */
  fields: RenderedFields;
  /** What its pickers show: see withPicks. */
  picks: PickerStates;
};

const CHANGED = "Someone else saved a change after you opened this page, so your change was not saved.";

/**
 * The form that is sent to `action`: as it was refused, if it was, else with what it begins with. With an `etag` it is about
 * that version of something, and nobody decides on what somebody else has just changed.
 */
export function formFor(
  failed: Failed | null,
  action: string,
  initial: Record<string, Initial> = {},
  etag?: string,
): FormState {
  const values = valuesFrom(initial);
  const shown = { fields: new Map(), picks: new Map() };
  if (failed?.action !== action) {
    const edit = etag === undefined ? null : { etag, seen: values, conflict: null };
    return { action, values, errors: {}, message: null, tone: "error", edit, ...shown };
  }
  if (etag === undefined) return { ...failed, edit: null, ...shown };
  const { "if-match": outdated, ...errors } = failed.errors;
  const message = outdated ? CHANGED : failed.message;
  return { ...failed, errors, message, ...editAfter(failed.values, values, etag), ...shown };
}

/** A refusal with the errors of all `parts` moved to `field`, the one field that the form has for them. */
export function withErrorsAt(field: string, parts: string[], failed: Failed): Failed {
  const others = Object.entries(failed.errors).filter(([part]) => !parts.includes(part));
  const words = parts.flatMap((part) => failed.errors[part] ?? []);
  return { ...failed, errors: Object.fromEntries(words.length > 0 ? [...others, [field, words]] : others) };
}

/** The page that the form stands on: what is edited has it at its id, and what is done to it is sent below that. */
export const pageOf = ({ action }: Pick<FormState, "action">): string =>
  /^\/admin\/[\w-]+\/\d+/.exec(action)?.[0] ?? action;

/** What is wrong with a field, or with any part of it: `permissions.2` is one of `permissions`. */
export const errorsOf = ({ errors }: FormState, name: string): string[] =>
  Object.entries(errors).flatMap(([field, words]) => (field === name || field.startsWith(`${name}.`) ? words : []));

/** What is wrong with a group of fields, or with an entry of it that has no field of its own: the others say so themselves. */
export const errorsOfGroup = ({ errors }: FormState, name: string): string[] =>
  Object.entries(errors).flatMap(([field, words]) => (field.replace(/\.\d+$/, "") === name ? words : []));

/** An id that no other form's field has on the page. */
export const idOf = ({ action }: FormState, name: string): string =>
  `${action}/${name}`.replace(/[^\w]+/g, "-").replace(/^-/, "");

/** Whether a list's filters ask for less than everything. */
export const isFiltered = ({ values }: FormState): boolean => Object.values(values).some(([value]) => Boolean(value));
