import { formatAmount } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import type { AnyFields } from "../../platform/administration/fields.ts";
import type { Input } from "../../platform/administration/inputs.ts";
import { countryOptions } from "../kit/countries.ts";
import { Checkbox, Field, Select, Textarea } from "../kit/fields.tsx";
import { type FieldKind, flag, number, optional, orNull, percent, text } from "./kinds.ts";
import { money } from "./money.ts";
import type { FormState } from "./state.ts";
import type { Initial } from "./values.ts";

/** Declared fields. A form shows those with an input. */
export type FormFields = Record<string, AnyFields[string] & { input?: Input; derived?: true; initial?: unknown }>;

const readers: Record<Input["as"], (name: string) => FieldKind> = {
  text: () => text,
  lines: () => text,
  country: () => optional,
  choice: () => text,
  flag: () => flag,
  money,
  number: () => number,
  percent: () => percent,
};

/** True if the field may be left empty: nullable or derived. */
const isNullable = ({ schema }: FormFields[string]): boolean => schema.safeParse(null).success;
const isOptional = (field: FormFields[string]): boolean => field.derived === true || isNullable(field);

function readerOf(name: string, field: FormFields[string], { as }: Input): FieldKind {
  const reader = readers[as](name);
  const filled = reader === text && isOptional(field) ? optional : reader;
  return isNullable(field) ? orNull(filled) : filled;
}

const inputsOf = (fields: FormFields) =>
  Object.entries(fields).flatMap(([name, field]) => (field.input ? [{ name, field, input: field.input }] : []));

/** Converters from form values to API values, by field. */
export const kindsOf = (fields: FormFields): Record<string, FieldKind> =>
  Object.fromEntries(inputsOf(fields).map(({ name, field, input }) => [name, readerOf(name, field, input)]));

function shown({ as }: Input, value: unknown): Initial {
  if (value === undefined || Array.isArray(value)) return null;
  if (typeof value !== "number") return value as Initial;
  if (as === "money") return formatAmount(value);
  return as === "percent" ? toPercent(value) : value;
}

/** Input values of a row, or of a new one. */
export const valuesOf = (fields: FormFields, row?: object): Record<string, Initial> =>
  Object.fromEntries(
    inputsOf(fields).map(({ name, field, input }) => [
      name,
      shown(input, row ? Reflect.get(row, field.column) : field.initial),
    ]),
  );

type InputsProps = { form: FormState; fields: FormFields; first?: readonly string[] | undefined };

/** The inputs of a form: single-line inputs side by side, then multi-line ones, then checkboxes. */
export const Inputs = ({ form, fields, first = [] }: InputsProps) => {
  const inputs = inputsOf(fields).toSorted((one, other) => rankIn(first, one.name) - rankIn(first, other.name));
  const like = (isLike: (input: Input) => boolean) =>
    inputs.filter(({ input }) => isLike(input)).map((each) => <FieldInput form={form} {...each} />);
  const short = like(({ as }) => as !== "lines" && as !== "flag");
  return (
    <>
      {short.length > 1 ? <div class="columns">{short}</div> : short}
      {like(({ as }) => as === "lines")}
      {like(({ as }) => as === "flag")}
    </>
  );
};

const rankIn = (first: readonly string[], name: string): number =>
  first.includes(name) ? first.indexOf(name) : first.length;

type FieldInputProps = { form: FormState; name: string; field: FormFields[string]; input: Input };

function FieldInput({ form, name, field, input }: FieldInputProps) {
  const { as, label, hint } = input;
  const common = { form, name, label, hint, required: !isOptional(field) };
  switch (as) {
    case "flag":
      return <Checkbox {...common} required={false} />;
    case "country":
      return <Select {...common} options={countryOptions("Choose one")} />;
    case "choice":
      return <Select {...common} options={Object.entries(input.options)} />;
    case "lines":
      return <Textarea {...common} rows={input.rows} required={false} />;
    case "number":
      return <Field {...common} inputmode="numeric" />;
    case "money":
    case "percent":
      return <Field {...common} inputmode="decimal" />;
    case "text":
      return <Field {...common} {...(input.maxlength !== undefined && { maxlength: input.maxlength })} />;
  }
}
