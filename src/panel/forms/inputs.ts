import type { RefusalCode } from "../../domain/error-codes.ts";
import type { FieldErrors } from "../../domain/errors.ts";
import { daysOfZone } from "../../domain/fields.ts";
import { shopTimeZone } from "../../domain/time.ts";
import type { Input, Options } from "../../platform/administration/fields.ts";
import { countryOptions } from "../kit/countries.ts";
import type { Picker, PickerStates } from "../pickers/picker.ts";
import { type Edit, editAfter } from "./edit.ts";
import { type FieldKind, type Initial, type Values, valuesFrom } from "./kinds.ts";

/** An input of a form. A `group` has a legend around other inputs, and a `picker` finds records by name. */
export type FormInput = (
  | Input
  | { as: "group"; label: string; hint?: string }
  | ({ as: "picker"; label: string; hint?: string; placeholder?: string } & Omit<Picker, "name">)
) & {
  required?: boolean;
  /** Converts the input's values, if its control does not determine how. */
  read?: FieldKind;
};

/** The inputs of a form by name. */
export type FormInputs<Name extends string = string> = { readonly [Each in Name]: FormInput };

/** The choices of an input, if it has any. */
export function optionsOf(input: FormInput): Options {
  switch (input.as) {
    case "flag":
      return [
        ["true", "yes"],
        ["", "no"],
      ];
    case "country":
      return countryOptions(input.none ?? "Choose one");
    case "choice":
    case "choices":
      return input.options;
    default:
      return [];
  }
}

/** Choices that begin with an empty one. */
export const orNone = (none: string, options: Options): Options => [["", none], ...options];

/** Rows to choose from, by id. */
export const byId = (rows: readonly { id: number; name: string }[]): Options =>
  rows.map(({ id, name }) => [String(id), name] as const);

/** An input with choices that depend on the shop. */
export const choosing = (input: FormInput, options: Options): FormInput => ({ ...input, options }) as FormInput;

/** Grace period in which a rotated value stays valid next to the new one. */
export const graceInput = (label: string) =>
  ({
    as: "choice",
    label,
    options: [
      ["0", "not at all"],
      ["3600", "for an hour"],
      ["86400", "for a day"],
      ["604800", "for a week"],
    ],
  }) satisfies FormInput;

/** A refused form: its values and errors. */
export type Failed = {
  /** The form's address, which also identifies one of several forms on a page. */
  action: string;
  values: Values;
  errors: FieldErrors;
  message: string;
  /** Error code of the refusal, if any. */
  code?: RefusalCode;
  tone: "error" | "warning" | "success";
};

/** A form on a page: its inputs and their values, and errors if it was refused. */
export type FormState<Name extends string = never> = Omit<Failed, "message" | "code"> & {
  /** Why the form was refused as a whole. Null if it was not. */
  message: string | null;
  /** Null for a form that creates something. */
  edit: Edit | null;
  inputs: FormInputs<Name>;
  /** States of its pickers: see withPicks. */
  picks: PickerStates;
};

type FormOptions<Name extends string> = {
  inputs?: FormInputs<Name>;
  /** Initial values. */
  values?: { readonly [Each in NoInfer<Name>]?: Initial };
  /** The edited version. A form that creates something has none. */
  etag?: string;
};

/** Value of the button that shows what a form would save: see `PreviewButton`. */
export const PREVIEW = "preview";

export const CHANGED = "Someone else saved a change after you opened this page, so your change was not saved.";

/** The state of the form sent to `action`: as refused, or as opened. */
export function formFor<Name extends string = never>(
  failed: Failed | null,
  action: string,
  { inputs = {} as FormInputs<Name>, values = {}, etag }: FormOptions<Name> = {},
): FormState<Name> {
  const initial = valuesFrom(values);
  const shown = { inputs, picks: new Map() };
  if (failed?.action !== action) {
    const edit = etag === undefined ? null : { etag, seen: initial, conflict: null };
    return { action, values: initial, errors: {}, message: null, tone: "error", edit, ...shown };
  }
  if (etag === undefined) return { ...failed, edit: null, ...shown };
  const { "if-match": outdated, ...errors } = failed.errors;
  const message = outdated ? CHANGED : failed.message;
  return { ...failed, errors, message, ...editAfter(failed.values, initial, etag), ...shown };
}

/** Rewrites errors for people who fill in a form, because the API also names formats that the form produces itself. */
export const inPanelWords = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, words]) => [
      field,
      words.map((each) =>
        each
          .replace(/^must be one of .*/, "must be one of the choices")
          .replace(/^must be a day such as .*/, "must be a valid date")
          .replace(
            /^(cannot be combined with )(\w+)\. Send .*/,
            (_, words, name) => `${words}${fieldLabel(name).toLowerCase()}. Leave one of the two empty`,
          ),
      ),
    ]),
  );

/** Moves errors of all `parts` to `field`, the form's single field for them. */
export function withErrorsAt(field: string, parts: string[], failed: Failed): Failed {
  const others = Object.entries(failed.errors).filter(([part]) => !parts.includes(part));
  const words = parts.flatMap((part) => failed.errors[part] ?? []);
  return { ...failed, errors: Object.fromEntries(words.length > 0 ? [...others, [field, words]] : others) };
}

/** The page of the form: the edited record's URL is the page, and its actions are below it. */
export const formPage = ({ action }: Pick<FormState, "action">): string =>
  /^\/admin\/[\w-]+\/\d+/.exec(action)?.[0] ?? action;

/** Errors of a field or its parts: `permissions.2` belongs to `permissions`. */
export const errorsOf = ({ errors }: FormState, name: string): string[] =>
  Object.entries(errors).flatMap(([field, words]) => (field === name || field.startsWith(`${name}.`) ? words : []));

/** Errors of a group of fields, and of entries without a field of their own. */
export const errorsOfGroup = ({ errors }: FormState, name: string): string[] =>
  Object.entries(errors).flatMap(([field, words]) => (field.replace(/\.\d+$/, "") === name ? words : []));

/** The input of a path and its entry: `images.0.url` belongs to the first of `images`. */
export function inputAt(inputs: FormInputs<never>, path: string) {
  // Iterates over inputs instead of parts of the path, which can contain a typed name with thousands of dots.
  const found = Object.entries<FormInput>(inputs).filter(([name]) => path === name || path.startsWith(`${name}.`));
  const [longest] = found.toSorted(([one], [other]) => other.length - one.length);
  if (!longest) return undefined;
  const [name, input] = longest;
  const [, index] = /^\.(\d+)(?:\.|$)/.exec(path.slice(name.length)) ?? [];
  return { name, input, position: index === undefined ? null : Number(index) + 1 };
}

/** Words that people spell differently from field names. */
const spelled: Record<string, string> = {
  api: "API",
  email: "e-mail",
  ip: "IP",
  metadata: "extra fields",
  sku: "SKU",
  slug: "web address",
  url: "address",
};

/** Fields whose names are not clear enough in a sentence. */
const renamed: Record<string, string> = {
  compare_at_price: "Compare-at price",
  external_id: "Id in another system",
  figures_as_of: "Figures of",
  previous_expires_at: "Previous value valid until",
  previous_secret_expires_at: "Previous secret valid until",
  seo_description: "Meta description",
  seo_title: "Page title",
  user_id: "Account",
  weight_grams: "Weight in grams",
};

/** A readable label for an API field: "Expires" for `expires_at`, "Files" for `file_ids`. */
export function fieldLabel(path: string): string {
  if (Object.hasOwn(renamed, path)) return renamed[path] ?? path;
  const words = path
    .replaceAll(/[._]/g, " ")
    .replace(/(?<=.) (at|id)$/, "")
    .replace(/y ids$/, "ies")
    .replace(/ ids$/, "s")
    .replaceAll(/\w+/g, (word) => spelled[word] ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An id that is unique on the page. */
export const idOf = ({ action }: Pick<FormState, "action">, name: string): string =>
  `${action}/${name}`.replace(/[^\w]+/g, "-").replace(/^-/, "");

/** A list's filters for the API's schemas, with days in the shop's time zone. */
export const inShopDays = ({ inputs }: FormState<string>, filters: Record<string, string>): Record<string, string> =>
  "days" in inputs ? daysOfZone(filters, shopTimeZone(), Date.now()) : filters;

/** True if a list's filters are set. */
export const isFiltered = ({ values }: FormState): boolean => Object.values(values).some(([value]) => Boolean(value));
