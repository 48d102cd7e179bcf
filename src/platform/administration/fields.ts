import * as z from "zod";
import { type ColumnOf, columnOf } from "../../domain/record.ts";

/** The request's name of a column: `home_country` for `homeCountry`. */
type NameOf<Column> = Column extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${NameOf<Rest>}`
  : Column;

/** An editable field: its schema in requests, and what follows from it only if it is said. */
type Field<Value> = {
  schema: z.ZodType<Value>;
  /** Default of a new row; null for a nullable field. A field without a default that is not derived is required. */
  initial?: Value;
  /** True if a new row derives the value from other fields or settings when it is not sent. */
  derived?: true;
  /** Converts the sent value to the stored one, such as a list without duplicates. */
  stored?: (value: Value) => Value;
  /** Converts the column's value for the audit log, if it differs. */
  audited?: (value: Value) => unknown;
  /** Schema in responses, which show the value as the audit log does. */
  answer?: z.ZodType;
  /** Input in the panel's form. Its control, label and character limit follow from the schema and the name. */
  input?: DeclaredInput;
};

type FieldsOf<Row> = { [Column in keyof Row as NameOf<Column>]-?: Field<Row[Column]> };

/**
 * Declares the field of each column once, by its name in requests. Request schemas, columns, defaults and audit entries follow
 * from it. A property of `Row` without a field does not compile.
 */
export const declareFields =
  <Row>() =>
  <const Fields extends FieldsOf<Row>>(
    fields: Fields & { [Name in Exclude<keyof Fields, keyof FieldsOf<Row>>]: never },
  ): Fields =>
    fields;

type AnyField = {
  schema: z.ZodType;
  stored?: (value: never) => unknown;
  audited?: (value: never) => unknown;
};
export type AnyFields = Record<string, AnyField>;

/** The columns of fields, in their order. */
export const columnNames = <Fields extends AnyFields>(fields: Fields) =>
  Object.keys(fields).map(columnOf) as ColumnOf<keyof Fields>[];

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

/** Default of a new row. Undefined if there is none. */
const initialOf = (field: AnyField & { initial?: unknown }): unknown =>
  field.initial === undefined && field.schema.safeParse(null).success ? null : field.initial;

export type NewShape<Fields extends AnyFields> = {
  [Name in keyof Fields]: Fields[Name] extends { initial: unknown }
    ? z.ZodDefault<Fields[Name]["schema"]>
    : null extends z.output<Fields[Name]["schema"]>
      ? z.ZodDefault<Fields[Name]["schema"]>
      : Fields[Name] extends { derived: true }
        ? z.ZodOptional<Fields[Name]["schema"]>
        : Fields[Name]["schema"];
};

/** Schemas of a new row. Fields with a default or a derived value are optional. */
export const newShape = <Fields extends AnyFields>(fields: Fields): NewShape<Fields> =>
  mapFields(fields, (name, field) => {
    const initial = initialOf(field);
    if (initial !== undefined) return [name, field.schema.default(initial)];
    return [name, "derived" in field ? field.schema.optional() : field.schema];
  });

export type FieldInput<Fields extends AnyFields> = {
  [Name in keyof Fields]?: z.output<Fields[Name]["schema"]> | undefined;
};

export type FieldColumns<Fields extends AnyFields> = {
  [Name in keyof Fields as ColumnOf<Name>]: z.output<Fields[Name]["schema"]> | undefined;
};

/** Columns of the sent fields. Undefined for fields that were not sent. */
export const toColumns = <Fields extends AnyFields>(fields: Fields, sent: FieldInput<Fields>): FieldColumns<Fields> =>
  mapFields(fields, (name, { stored }) => [columnOf(name), applied(stored, sent[name])]);

export type NewRow<Fields extends AnyFields> = {
  [Name in keyof Fields as ColumnOf<Name>]: z.output<Fields[Name]["schema"]>;
};

export type DerivedColumns<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name] extends { derived: true } ? ColumnOf<Name> : never]: z.output<
    Fields[Name]["schema"]
  >;
};

/** Builds a new row: the sent value, else the default, else the derived value. */
export const newRow = <Fields extends AnyFields>(
  fields: Fields,
  sent: FieldInput<Fields>,
  derived: DerivedColumns<Fields>,
): NewRow<Fields> =>
  mapFields(fields, (name, field) => {
    const column = columnOf(name);
    if (sent[name] !== undefined) return [column, applied(field.stored, sent[name])];
    const initial = initialOf(field);
    return [column, initial === undefined ? Reflect.get(derived, column) : initial];
  });

export type AuditValues<Fields extends AnyFields> = {
  [Name in keyof Fields]: Fields[Name] extends { audited: (value: never) => infer Shown }
    ? Shown
    : z.output<Fields[Name]["schema"]>;
};

/** A row in the audit log, by request names. */
export const auditedState = <Fields extends AnyFields>(fields: Fields, row: NewRow<Fields>): AuditValues<Fields> =>
  mapFields(fields, (name, { audited }) => [name, applied(audited, Reflect.get(row, columnOf(name)))]);

/** Schema of a field in responses: its own, or the type of its values without the request's rules. */
export type AnswerOf<Field> = Field extends { answer: infer Own extends z.ZodType }
  ? Own
  : Field extends { schema: infer Input extends z.ZodType }
    ? Input
    : never;

type Answers<Fields> = { [Name in keyof Fields]: AnswerOf<Fields[Name]> };

/** Schemas of a response's members. */
export const answersOf = <Fields extends Record<string, { schema?: z.ZodType; answer?: z.ZodType }>>(
  fields: Fields,
): Answers<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, answer }]) => [name, answer ?? typeIn(schema)]),
  ) as Answers<Fields>;

/** The type of a field's values, without the request's rules and description. */
function typeIn(schema: z.core.$ZodType | undefined): z.ZodType {
  if (schema instanceof z.ZodNullable) return typeIn(schema.unwrap()).nullable();
  if (schema instanceof z.ZodArray) return z.array(typeIn(schema.element));
  if (schema instanceof z.ZodEnum) return z.enum(schema.enum);
  if (schema instanceof z.ZodString) return z.string();
  if (schema instanceof z.ZodNumber) return z.int();
  if (schema instanceof z.ZodBoolean) return z.boolean();
  throw new TypeError("The field needs a schema for responses");
}

/** Schemas of a response that shows all fields under their own names, except `Except`. */
export type ResponseSchemas<Fields, Except extends keyof Fields = never> = Record<string, z.ZodType> &
  Record<Exclude<keyof Fields, Except>, z.ZodType>;

/** Sorted ids without duplicates. */
export const distinct = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Choices in order, as values with labels. An object would sort ids first. */
export type Options = Iterable<readonly [value: string, label: string]>;

/** The control of an input. */
type Controls =
  | {
      /** A single line. `moment` is a date and time in the shop's time zone. */
      as:
        | "text"
        | "search"
        | "email"
        | "tel"
        | "url"
        | "color"
        | "password"
        | "date"
        | "moment"
        | "money"
        | "number"
        | "decimal"
        | "percent"
        | "file"
        | "tags";
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
      /** Several lines: a text, or a list with an entry on each line. */
      as: "lines" | "list" | "metadata" | "images" | "places" | "brackets";
      /** Three by default. */
      rows?: number;
      maxlength?: number;
      /** True for a text in Markdown. A script adds formatting buttons. */
      markdown?: boolean;
    }
  | { as: "flag" }
  | { as: "country" /** Shown while no country is chosen. */; none?: string }
  | { as: "choice" | "choices"; options: Options };

/** Input of a field in a form of the panel: label, hint and control. */
export type Input = { label: string; hint?: string | undefined } & Controls;

type Partly<Each> = Each extends unknown ? Partial<Each> : never;

/** The parts of an input that do not follow from its field. */
export type DeclaredInput = Partial<Pick<Input, "label" | "hint">> & Partly<Controls>;
