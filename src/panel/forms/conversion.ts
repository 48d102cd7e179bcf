import * as z from "zod";
import { formatAmount } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import { columnOf } from "../../domain/record.ts";
import { splitTags } from "../../domain/tags.ts";
import type { AnyFields, DeclaredInput, Input } from "../../platform/administration/fields.ts";
import { formatForInput } from "../kit/dates.tsx";
import { type FormInput, type FormInputs, fieldLabel } from "./inputs.ts";
import {
  bracketLines,
  brackets,
  decimalNumber,
  type FieldKind,
  flagKind,
  type Initial,
  imageLines,
  linesOf,
  listKind,
  metadata,
  metadataLines,
  moment,
  money,
  number,
  numbers,
  optional,
  orNull,
  percent,
  placesKind,
  placesText,
  readImageLines,
  text,
} from "./kinds.ts";

// Between the values of a form and those of the API.

/** Converters of input values, by control. */
const readers: Record<FormInput["as"], (name: string) => FieldKind> = {
  text: () => text,
  search: () => text,
  email: () => text,
  tel: () => text,
  url: () => text,
  color: () => text,
  password: () => text,
  lines: () => text,
  list:
    () =>
    ([typed]) =>
      linesOf(typed),
  metadata: () => metadata,
  images:
    () =>
    ([typed]) =>
      readImageLines(typed),
  places: () => placesKind,
  brackets,
  tags:
    () =>
    ([typed = ""]) =>
      splitTags(typed),
  date: () => text,
  country: () => optional,
  choice: () => text,
  choices: () => listKind,
  flag: () => flagKind,
  money,
  moment: () => moment,
  number: () => number,
  decimal: () => decimalNumber,
  percent: () => percent,
  picker: () => numbers,
  group: () => () => undefined,
  file: () => () => undefined,
};

/** Text or choices of stored values, by control. Other values are shown as they are. */
const writers: { [As in FormInput["as"]]?: (value: never) => Initial } = {
  money: formatAmount,
  moment: formatForInput,
  percent: toPercent,
  list: (entries: string[]) => entries.join("\n"),
  metadata: metadataLines,
  images: imageLines,
  places: placesText,
  brackets: bracketLines,
  tags: (tags: string[]) => tags.join(", "),
};

/** The converter of a control. An empty field is not sent if it `mayBeEmpty`. */
function readerOf(name: string, { as }: Pick<FormInput, "as">, mayBeEmpty: boolean): FieldKind {
  const reader = readers[as](name);
  return reader === text && mayBeEmpty ? optional : reader;
}

/** Values of controls whose empty state is a value: no ticks, or no text. */
const empty: { [As in FormInput["as"]]?: unknown } = {
  flag: false,
  choices: [],
  lines: "",
  list: [],
  metadata: {},
  images: [],
  places: [],
  brackets: [],
  tags: [],
  picker: [],
  group: undefined,
  file: undefined,
};

/** Converters from form values to API values, by field. An empty input that is not required is null. */
export const kindsOf = <Name extends string>(inputs: FormInputs<Name>): Record<Name, FieldKind> =>
  Object.fromEntries(
    Object.entries<FormInput>(inputs).map(([name, input]) => {
      if (input.read) return [name, input.read];
      if (input.required || input.as in empty) return [name, readerOf(name, input, false)];
      return [name, orNull(readerOf(name, input, true))];
    }),
  ) as Record<Name, FieldKind>;

/** Declared fields of a noun. Its form shows those with an input. */
export type DeclaredFields = Record<
  string,
  AnyFields[string] & { input?: DeclaredInput; derived?: true; initial?: unknown }
>;

type NamesWithInput<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { input: unknown } ? Name & string : never;
}[keyof Fields];

/** The type of values that are not null. */
const withoutNull = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodNullable ? withoutNull(schema.unwrap()) : schema;

/** The control of a schema's values, unless the field declares another. */
function controlOf(schema: z.core.$ZodType): "flag" | "number" | "text" {
  if (schema instanceof z.ZodBoolean) return "flag";
  return schema instanceof z.ZodNumber ? "number" : "text";
}

const declaredInputs = (fields: DeclaredFields) =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (!field.input) return [];
    const value = withoutNull(field.schema);
    const maxlength = value instanceof z.ZodString ? (value.maxLength ?? undefined) : undefined;
    const input = { as: controlOf(value), label: fieldLabel(name), maxlength, ...field.input } as Input;
    return [{ name, field, input, value }];
  });

/** Chosen ids are numbers. */
function declaredReader(name: string, input: Input, value: z.core.$ZodType, mayBeEmpty: boolean): FieldKind {
  if (input.as === "choice" && value instanceof z.ZodNumber) return number;
  if (input.as === "choices" && value instanceof z.ZodArray && value.element instanceof z.ZodNumber) return numbers;
  return readerOf(name, input, mayBeEmpty);
}

/** The inputs of declared fields: nullable and derived ones may be left empty, and those whose schema accepts it. */
export const inputsOf = <Fields extends DeclaredFields>(fields: Fields): FormInputs<NamesWithInput<Fields>> =>
  Object.fromEntries(
    declaredInputs(fields).map(({ name, field, input, value }) => {
      const isNullable = field.schema.safeParse(null).success;
      const isOptional = isNullable || field.derived === true;
      const read = declaredReader(name, input, value, isOptional);
      const required = !isOptional && !field.schema.safeParse(input.as in empty ? empty[input.as] : "").success;
      return [name, { ...input, required, read: isNullable ? orNull(read) : read }];
    }),
  ) as FormInputs<NamesWithInput<Fields>>;

function shown({ as }: Input, value: unknown = null): Initial {
  const write = writers[as];
  return write && value !== null ? Reflect.apply(write, undefined, [value]) : (value as Initial);
}

/** Input values of a row, or of a new one. */
export const valuesOf = <Fields extends DeclaredFields>(fields: Fields, row?: object) =>
  Object.fromEntries(
    declaredInputs(fields).map(({ name, field, input }) => [
      name,
      shown(input, row ? Reflect.get(row, columnOf(name)) : field.initial),
    ]),
  ) as Record<NamesWithInput<Fields>, Initial>;
