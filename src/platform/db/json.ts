import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { minorUnits } from "../../domain/money.ts";
import { buildStatement } from "./statements.ts";

/**
 * A column that SQLite builds as JSON, such as rows of another table, without another round trip. Also the best way to read a
 * joined row, because a batch loses one of two columns with equal names. Write out the outer table's columns (`orders.id`):
 * Drizzle omits the table's name in a query of one table.
 */
export const json = <T>(column: SQL): SQL<T> => column.mapWith((text: string): T => JSON.parse(text));

/** D1 allows 32 arguments of a function. */
const MAX_ARGUMENTS = 32;

/** A member of an object takes two arguments, beside the object itself. */
const MEMBERS_PER_CALL = 15;

/**
 * A row as one JSON object, with the members of `more`, each of them JSON too. The SQL is built immediately, since that costs
 * more than running it: keep the result. `more` must not contain bound parameters.
 */
export function jsonRow<Row>(columns: Record<string, SQLiteColumn>, more: Record<string, SQL> = {}): SQL<Row> {
  const members = [
    ...Object.entries(columns).map(([name, column]): [string, SQL] => [name, asJson(column)]),
    ...Object.entries(more).map(([name, value]): [string, SQL] => [name, sql`json(${value})`]),
  ];
  let row = sql`json_object()`;
  for (let from = 0; from < members.length; from += MEMBERS_PER_CALL) {
    const part = members
      .slice(from, from + MEMBERS_PER_CALL)
      .map(([name, value]) => sql`${sql.raw(`'$.${name}'`)}, ${value}`);
    row = sql`json_set(${row}, ${sql.join(part, sql`, `)})`;
  }
  return sql<Row>`${sql.raw(buildStatement(row).sql)}`;
}

/**
 * A row as one column, null if there is none, with its reader. The JSON array takes SQLite a fifth of the time of an object.
 * `exists` tells whether there is a row.
 */
export function packedRow<Row>(exists: SQL, columns: Record<string, SQLiteColumn>, more: Record<string, SQL>) {
  const plain = Object.entries(columns);
  const names = [...Object.keys(columns), ...Object.keys(more)];
  const flags = plain.flatMap(([, { dataType }], at) => (dataType === "boolean" ? at : []));
  const values = [
    ...plain.map(([, column]) => (column.dataType === "json" ? sql`json(${column})` : sql`${column}`)),
    ...Object.values(more).map((value) => sql`json(${value})`),
  ];
  // More values than a call takes stand in an array at its end: the copy of an inner array costs as much as the array.
  const last = values.length > MAX_ARGUMENTS ? MAX_ARGUMENTS - 1 : values.length;
  const rest = values.length > last ? [sql`json_array(${sql.join(values.slice(last), sql`, `)})`] : [];
  const packed = sql`iif(${exists}, json_array(${sql.join([...values.slice(0, last), ...rest], sql`, `)}), NULL)`;
  // Copying a row with all members is faster than adding them one by one.
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]));
  return {
    packed: sql.raw(buildStatement(packed).sql),
    unpack: (text: string): Row => {
      const read: unknown[] = JSON.parse(text);
      if (rest.length > 0) read.push(...(read.pop() as unknown[]));
      for (const at of flags) read[at] = read[at] === 1;
      const row = { ...blank };
      for (const [at, name] of names.entries()) row[name] = read[at];
      return row as Row;
    },
  };
}

/** A column in a JSON object with the value that Drizzle would read: JSON stays JSON, and flags are true or false. */
function asJson(column: SQLiteColumn): SQL {
  if (column.dataType === "json") return sql`json(${column})`;
  return column.dataType === "boolean" ? truth(sql`${column}`) : sql`${column}`;
}

/** A condition as a JSON boolean. */
export const truth = (condition: SQL): SQL => sql`json(CASE ${condition} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;

/** Converts minor units to a decimal amount in JSON that SQL builds. */
export const decimal = (minor: SQL, currency: SQL): SQL =>
  sql`(${minor} * 1.0 / coalesce(json_extract(${JSON.stringify(minorUnits)}, '$.' || ${currency}), 100))`;
