import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../src/platform/db/schema.ts";
import type { Guard } from "./guard.ts";
import { type Enumeration, insertGuard } from "./stored-enumerations.ts";

/** The columns of all tables that are `text({ enum: values })`. */
export const enumerations: readonly Enumeration[] = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => getTableConfig(table))
  .flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      column.enumValues?.length ? [{ table: name, column: column.name, values: column.enumValues }] : [],
    ),
  );

/**
 * Triggers that refuse values missing from an enumeration. Extending a CHECK needs a new table, and a foreign key to a table
 * of values reads a row with every write.
 */
export const enumerationGuards = (): Guard[] =>
  [...Map.groupBy(enumerations, ({ table }) => table)].flatMap(([table, columns]) => [
    guardOf(insertGuard(table), `INSERT ON ${table}`, columns),
    guardOf(`${table}_no_unlisted_update`, `UPDATE OF ${namesOf(columns)} ON ${table}`, columns),
  ]);

const namesOf = (columns: readonly Enumeration[]): string => columns.map(({ column }) => `"${column}"`).join(", ");

const guardOf = (name: string, event: string, columns: readonly Enumeration[]): Guard => ({
  noun: "enumerations",
  kind: "trigger",
  name,
  comment: `Prevents what is no ${columns.map(({ column }) => column).join(", ")}.`,
  sql: `CREATE TRIGGER ${name} BEFORE ${event}\nWHEN ${columns.map(isUnlisted).join("\n  OR ")}
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END`,
});

/** SQLite would copy the list of a NOT IN into an index and read it, and these reads are billed. */
const isUnlisted = ({ column, values }: Enumeration): string =>
  values.map((value) => `NEW."${column}" <> '${value}'`).join(" AND ");
