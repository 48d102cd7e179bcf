import type * as z from "zod";

/** An editable field: its column and its schema in requests. */
type Field<Row, Column extends keyof Row> = {
  column: Column;
  schema: z.ZodType<Row[Column]>;
  /** Default of a new row. A field without a default that is not derived is required. */
  initial?: Row[Column];
  /** True if a new row derives the value from other fields or settings when it is not sent. */
  derived?: true;
  /** Converts the sent value to the stored one, such as a list without duplicates. */
  stored?: (value: Row[Column]) => Row[Column];
  /** Converts the column's value for the audit log, if it differs. */
  audited?: (value: Row[Column]) => unknown;
  /** Schema in responses, which show the value as the audit log does. */
  answer?: z.ZodType;
  /** Input in the panel's form. */
  input?: Input;
};

type FieldsOf<Row> = Record<string, { [Column in keyof Row]-?: Field<Row, Column> }[keyof Row]>;

type Undeclared<Row, Fields extends FieldsOf<Row>> = Exclude<keyof Row, Fields[keyof Fields]["column"]>;

/**
 * Declares each field of a record once, by its name in requests. Request schemas, columns, defaults and audit entries follow
 * from it. A property of `Row` without a field does not compile.
 */
export const declareFields =
  <Row>() =>
  <const Fields extends FieldsOf<Row>>(
    fields: Fields & ([Undeclared<Row, Fields>] extends [never] ? unknown : { undeclared: Undeclared<Row, Fields> }),
  ): Fields =>
    fields;

type AnyField = {
  column: string;
  schema: z.ZodType;
  stored?: (value: never) => unknown;
  audited?: (value: never) => unknown;
};
export type AnyFields = Record<string, AnyField>;

/** Applies a field's own function to its own value; the union of all fields cannot tell them apart. */
const applied = (convert: ((value: never) => unknown) | undefined, value: unknown): unknown =>
  convert && value !== undefined ? Reflect.apply(convert, undefined, [value]) : value;

/**
 * Maps the fields to an object. Object.entries loses the relation of names and values, so the caller types the result.
 */
const mapFields = <Fields extends AnyFields, Result>(
  fields: Fields,
  entry: (name: keyof Fields & string, field: Fields[keyof Fields]) => [name: string, value: unknown],
): Result =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => entry(name, field as Fields[keyof Fields])),
  ) as Result;

export type Shape<Fields extends AnyFields> = { [Name in keyof Fields]: Fields[Name]["schema"] };

/** Schemas of a change, for `z.strictObject(…).partial()`. */
export const changeShape = <Fields extends AnyFields>(fields: Fields): Shape<Fields> =>
  mapFields(fields, (name, { schema }) => [name, schema]);

export type NewShape<Fields extends AnyFields> = {
  [Name in keyof Fields]: Fields[Name] extends { initial: unknown }
    ? z.ZodDefault<Fields[Name]["schema"]>
    : Fields[Name] extends { derived: true }
      ? z.ZodOptional<Fields[Name]["schema"]>
      : Fields[Name]["schema"];
};

/** Schemas of a new row. Fields with a default or a derived value are optional. */
export const newShape = <Fields extends AnyFields>(fields: Fields): NewShape<Fields> =>
  mapFields(fields, (name, field) => {
    if ("initial" in field) return [name, field.schema.default(field.initial)];
    return [name, "derived" in field ? field.schema.optional() : field.schema];
  });

export type Sent<Fields extends AnyFields> = { [Name in keyof Fields]?: z.output<Fields[Name]["schema"]> | undefined };

export type FieldColumns<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name]["column"]]: z.output<Fields[Name]["schema"]> | undefined;
};

/** Columns of the sent fields. Undefined for fields that were not sent. */
export const toColumns = <Fields extends AnyFields>(fields: Fields, sent: Sent<Fields>): FieldColumns<Fields> =>
  mapFields(fields, (name, { column, stored }) => [column, applied(stored, sent[name])]);

export type NewRow<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name]["column"]]: z.output<Fields[Name]["schema"]>;
};

export type Derived<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name] extends { derived: true } ? Fields[Name]["column"] : never]: z.output<
    Fields[Name]["schema"]
  >;
};

/** Builds a new row: the sent value, else the default, else the derived value. */
export const newRow = <Fields extends AnyFields>(
  fields: Fields,
  sent: Sent<Fields>,
  derived: Derived<Fields>,
): NewRow<Fields> =>
  mapFields(fields, (name, field) => {
    const { column } = field;
    if (sent[name] !== undefined) return [column, applied(field.stored, sent[name])];
    return [column, "initial" in field ? field.initial : Reflect.get(derived, column)];
  });

export type Audited<Fields extends AnyFields> = {
  [Name in keyof Fields]: Fields[Name] extends { audited: (value: never) => infer Shown }
    ? Shown
    : z.output<Fields[Name]["schema"]>;
};

/** A row in the audit log, by request names. */
export const auditedState = <Fields extends AnyFields>(fields: Fields, row: NewRow<Fields>): Audited<Fields> =>
  mapFields(fields, (name, { column, audited }) => [name, applied(audited, Reflect.get(row, column))]);

/** Schemas of a response that shows all fields under their own names, except `Except`. */
export type Answered<Fields, Except extends keyof Fields = never> = Record<string, z.ZodType> &
  Record<Exclude<keyof Fields, Except>, z.ZodType>;

/** Sorted ids without duplicates. */
export const distinct = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Choices in order, as values with labels. An object would sort ids first. */
export type Options = Iterable<readonly [value: string, label: string]>;

/** Input of a field in a form of the panel: label, hint and control. */
export type Input = { label: string; hint?: string | undefined } & (
  | {
      /** A single line. `moment` is a date and time in the shop's time zone. */
      as:
        | "text"
        | "search"
        | "email"
        | "tel"
        | "url"
        | "password"
        | "date"
        | "moment"
        | "money"
        | "number"
        | "percent"
        | "file";
      /** Character limit of the schema. Browsers get no such attribute, because they would truncate pasted text. */
      maxlength?: number;
      /** Shown after the control. Amounts and percentages have their own. */
      unit?: string;
      autocomplete?: string;
      placeholder?: string;
      /** Values suggested by browsers while typing. */
      suggestions?: readonly string[];
      /** True for the field that the page is usually opened for. */
      autofocus?: boolean;
      /** Last day that can be chosen. */
      max?: string;
    }
  | {
      as: "lines";
      rows: number;
      maxlength?: number;
      /** True for a text in Markdown. A script adds formatting buttons. */
      markdown?: boolean;
    }
  | { as: "country" | "flag" }
  | { as: "choice" | "choices"; options: Options }
);
