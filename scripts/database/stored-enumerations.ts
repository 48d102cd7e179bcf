import type { StoredStatement } from "./migrations.ts";

// Loads no table of the source, so that commands which only read a database start in a moment.

/** A column that accepts only the listed values. */
export type Enumeration = { table: string; column: string; values: readonly string[] };

/** The trigger of a table that names the values of its columns. */
export const insertGuard = (table: string): string => `${table}_no_unlisted_insert`;

/** The values that a database accepts for each column, read from its triggers. */
export const storedEnumerations = (stored: readonly StoredStatement[]): Enumeration[] =>
  stored
    .filter(({ name, table }) => name === insertGuard(table))
    .flatMap(({ table, sql }) =>
      [...Map.groupBy(sql.matchAll(/NEW\."(\w+)" <> '(.*?)'/g), ([, column = ""]) => column)].map(
        ([column, values]) => ({ table, column, values: values.map(([, , value = ""]) => value) }),
      ),
    );
