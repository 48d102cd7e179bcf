import * as z from "zod";

/** The column of a field: `homeCountry` for `home_country`. */
export type ColumnOf<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<ColumnOf<Rest>>}`
  : Name;

export const columnOf = <Name extends string>(name: Name): ColumnOf<Name> =>
  name.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()) as ColumnOf<Name>;

/** Schemas whose values are stored as other numbers, such as times, with the conversion for responses. */
export const storedAsNumber = z.registry<{ show: (stored: number) => string | number }>();

type StoredValue<Shown> = Shown extends string ? (string extends Shown ? Shown | number : Shown) : Shown;

/** A row with a column for each field of a response, except `Own`. */
type RowOf<Shape extends z.ZodRawShape, Own> = {
  [Name in Exclude<keyof Shape, Own> as ColumnOf<Name>]: StoredValue<z.output<Shape[Name]>>;
};

/** A field of a response, its column, and the conversion of a number in it. */
type ShownField = { name: string; column: string; show: ((stored: number) => string | number) | undefined };

const fieldsBySchema = new WeakMap<z.ZodObject, ShownField[]>();

function fieldsOf(schema: z.ZodObject): ShownField[] {
  const known = fieldsBySchema.get(schema);
  if (known) return known;
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const { show } = storedAsNumber.get(field instanceof z.ZodNullable ? field.unwrap() : field) ?? {};
    return { name, column: columnOf(name), show };
  });
  fieldsBySchema.set(schema, fields);
  return fields;
}

/** Shows a row in the shape of a response. Fields that are not columns of the row, or shown in another way, are `own`. */
export function toRecord<Shape extends z.ZodRawShape, const Own extends Partial<z.output<z.ZodObject<Shape>>>>(
  schema: z.ZodObject<Shape>,
  row: RowOf<Shape, keyof Own>,
  own: Own,
): z.output<z.ZodObject<Shape>> {
  // Names and columns are strings here, so the compiler no longer relates them to values.
  const columns = row as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  for (const { name, column, show } of fieldsOf(schema)) {
    const stored = columns[column];
    record[name] = show && typeof stored === "number" ? show(stored) : stored;
  }
  return Object.assign(record, own) as z.output<z.ZodObject<Shape>>;
}
