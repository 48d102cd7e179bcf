import { formatAmount } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import { splitTags } from "../../domain/tags.ts";
import type { AnyFields, Input, Options } from "../../platform/administration/fields.ts";
import { countryOptions } from "../kit/countries.ts";
import { formatForInput } from "../kit/dates.tsx";
import type { Picker } from "../pickers/picker.ts";
import { type FieldKind, flagKind, type Initial, listKind, moment, optional, orNull, text } from "./kinds.ts";
import { money, number, numbers, percent } from "./numbers.ts";

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

/** Converters of input values, by control. */
const readers: Record<FormInput["as"], (name: string) => FieldKind> = {
  text: () => text,
  search: () => text,
  email: () => text,
  tel: () => text,
  url: () => text,
  password: () => text,
  lines: () => text,
  date: () => text,
  country: () => optional,
  choice: () => text,
  choices: () => listKind,
  flag: () => flagKind,
  money,
  moment: () => moment,
  number: () => number,
  percent: () => percent,
  picker: () => numbers,
  group: () => () => undefined,
  file: () => () => undefined,
};

/** The converter of a control. An empty field is not sent if it `mayBeEmpty`. */
function readerOf(name: string, { as }: Pick<FormInput, "as">, mayBeEmpty: boolean): FieldKind {
  const reader = readers[as](name);
  return reader === text && mayBeEmpty ? optional : reader;
}

/** Controls whose empty state is a value: no ticks, or no text. */
const NEVER_NULL: readonly string[] = ["flag", "choices", "lines", "picker", "group", "file"];

/** Converters from form values to API values, by field. An empty input that is not required is null. */
export const kindsOf = <Name extends string>(inputs: FormInputs<Name>): Record<Name, FieldKind> =>
  Object.fromEntries(
    Object.entries<FormInput>(inputs).map(([name, input]) => {
      if (input.read) return [name, input.read];
      if (input.required || NEVER_NULL.includes(input.as)) return [name, readerOf(name, input, false)];
      return [name, orNull(readerOf(name, input, true))];
    }),
  ) as Record<Name, FieldKind>;

/** Declared fields of a noun. Its form shows those with an input. */
export type DeclaredFields = Record<string, AnyFields[string] & { input?: Input; derived?: true; initial?: unknown }>;

type NamesWithInput<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { input: Input } ? Name & string : never;
}[keyof Fields];

const declaredInputs = (fields: DeclaredFields) =>
  Object.entries(fields).flatMap(([name, field]) => (field.input ? [{ name, field, input: field.input }] : []));

/** The inputs of declared fields: nullable and derived ones may be left empty. */
export const inputsOf = <Fields extends DeclaredFields>(fields: Fields): FormInputs<NamesWithInput<Fields>> =>
  Object.fromEntries(
    declaredInputs(fields).map(({ name, field, input }) => {
      const isNullable = field.schema.safeParse(null).success;
      const isOptional = isNullable || field.derived === true;
      const read = readerOf(name, input, isOptional);
      const required = !isOptional && input.as !== "lines" && input.as !== "flag";
      return [name, { ...input, required, read: isNullable ? orNull(read) : read }];
    }),
  ) as FormInputs<NamesWithInput<Fields>>;

function shown({ as }: Input, value: unknown): Initial {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number") return value as Initial;
  if (as === "money") return formatAmount(value);
  if (as === "moment") return formatForInput(value);
  return as === "percent" ? toPercent(value) : value;
}

/** Input values of a row, or of a new one. */
export const valuesOf = <Fields extends DeclaredFields>(fields: Fields, row?: object) =>
  Object.fromEntries(
    declaredInputs(fields).map(({ name, field, input }) => [
      name,
      shown(input, row ? Reflect.get(row, field.column) : field.initial),
    ]),
  ) as Record<NamesWithInput<Fields>, Initial>;

/** The choices of an input, if it has any. */
export function optionsOf(input: FormInput): Options {
  switch (input.as) {
    case "flag":
      return [
        ["true", "yes"],
        ["", "no"],
      ];
    case "country":
      return countryOptions("Choose one");
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

/** Tags in one text. */
export const tagsInput = {
  as: "text",
  label: "Tags",
  hint: "Separate tags by commas.",
  read: ([typed = ""]) => splitTags(typed),
} satisfies FormInput;

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
