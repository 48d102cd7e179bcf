import type * as z from "zod";
import type { Input } from "./inputs.ts";

/** A field that administrators edit: the column that holds it, and its shape in requests. */
type Field<Row, Column extends keyof Row> = {
  column: Column;
  schema: z.ZodType<Row[Column]>;
  /** What a new row has when it is not sent. A field that has none, and is not derived, is required of a new row. */
  initial?: Row[Column];
  /** A new row gets it from its other fields, or from the settings, when it is not sent. */
  derived?: true;
  /** What is written of what was sent, where that is not the same: a list without repetitions. */
  stored?: (value: Row[Column]) => Row[Column];
  /** How the audit log shows the column's value, where it differs from how it is stored. */
  audited?: (value: Row[Column]) => unknown;
  /** Its shape in answers, which show it as the audit log does. */
  answer?: z.ZodType;
  /** Its input in the panel. */
  input?: Input;
};

type FieldsOf<Row> = Record<string, { [Column in keyof Row]-?: Field<Row, Column> }[keyof Row]>;

type Undeclared<Row, Fields extends FieldsOf<Row>> = Exclude<keyof Row, Fields[keyof Fields]["column"]>;

/**
 * Declares each field of a record once, by its name in requests: what requests may say, what is written, what a new row begins
 * with and what the audit log shows follow from it. A property of `Row` that no field declares does not compile.
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

/** A field's own function of its own value, which the union of all fields cannot tell apart. */
const applied = (convert: ((value: never) => unknown) | undefined, value: unknown): unknown =>
  convert && value !== undefined ? Reflect.apply(convert, undefined, [value]) : value;

/** Object.entries forgets which value belongs to which name; each result is typed by the fields that it is made of. */
const mapFields = <Fields extends AnyFields, Result>(
  fields: Fields,
  entry: (name: keyof Fields & string, field: Fields[keyof Fields]) => [name: string, value: unknown],
): Result =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => entry(name, field as Fields[keyof Fields])),
  ) as Result;

export type Shape<Fields extends AnyFields> = { [Name in keyof Fields]: Fields[Name]["schema"] };

/** The shape of a change, for `z.strictObject(…).partial()`. */
export const changeShape = <Fields extends AnyFields>(fields: Fields): Shape<Fields> =>
  mapFields(fields, (name, { schema }) => [name, schema]);

export type NewShape<Fields extends AnyFields> = {
  [Name in keyof Fields]: Fields[Name] extends { initial: unknown }
    ? z.ZodDefault<Fields[Name]["schema"]>
    : Fields[Name] extends { derived: true }
      ? z.ZodOptional<Fields[Name]["schema"]>
      : Fields[Name]["schema"];
};

/** The shape of a new row: what has an initial or a derived value may be left out. */
export const newShape = <Fields extends AnyFields>(fields: Fields): NewShape<Fields> =>
  mapFields(fields, (name, field) => {
    if ("initial" in field) return [name, field.schema.default(field.initial)];
    return [name, "derived" in field ? field.schema.optional() : field.schema];
  });

export type Sent<Fields extends AnyFields> = { [Name in keyof Fields]?: z.output<Fields[Name]["schema"]> | undefined };

export type Columns<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name]["column"]]: z.output<Fields[Name]["schema"]> | undefined;
};

/** The columns of what was sent; those of fields that were not are undefined. */
export const toColumns = <Fields extends AnyFields>(fields: Fields, sent: Sent<Fields>): Columns<Fields> =>
  mapFields(fields, (name, { column, stored }) => [column, applied(stored, sent[name])]);

export type NewRow<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name]["column"]]: z.output<Fields[Name]["schema"]>;
};

export type Derived<Fields extends AnyFields> = {
  [Name in keyof Fields as Fields[Name] extends { derived: true } ? Fields[Name]["column"] : never]: z.output<
    Fields[Name]["schema"]
  >;
};

/** A new row: each field as it was sent, else its initial value, else the derived one. */
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

/** A row as the audit log keeps it, with the names that requests have. */
export const auditedState = <Fields extends AnyFields>(fields: Fields, row: NewRow<Fields>): Audited<Fields> =>
  mapFields(fields, (name, { column, audited }) => [name, applied(audited, Reflect.get(row, column))]);

/** The shape of an answer that shows the fields: all of them under their own names, but for `Except`. */
export type Answered<Fields, Except extends keyof Fields = never> = Record<string, z.ZodType> &
  Record<Exclude<keyof Fields, Except>, z.ZodType>;

/** Ids in their order, each once. */
export const distinct = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);
