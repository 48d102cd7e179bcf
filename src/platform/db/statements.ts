import { getTableColumns, isSQLWrapper, type Query, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";

/** The text of a statement and its parameters, which may include placeholders. */
export type BuiltStatement = Pick<Query, "sql" | "params">;

const dialect = new SQLiteSyncDialect();

/** Builds a statement for repeated use, because building it takes longer than running it. */
export const buildStatement = (statement: SQL): BuiltStatement => dialect.sqlToQuery(statement);

/** Columns of a row, each a value, a column or SQL. */
type Written<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]: Table["$inferInsert"][Name] | SQLWrapper;
};

const writtenColumns = (table: SQLiteTable, row: object) => {
  const columns = getTableColumns(table);
  return Object.entries(row).flatMap(([name, value]) => {
    const column = columns[name];
    if (!column || value === undefined) return [];
    return [{ name: sql.identifier(column.name), value: isSQLWrapper(value) ? value : sql.param(value, column) }];
  });
};

/**
 * `INSERT … SELECT` for each row of `from` (such as `FROM orders WHERE …`), or for one row. Drizzle's own cannot leave out
 * columns.
 */
export function insertSelected<Table extends SQLiteTable>(table: Table, row: Written<Table>, from = sql``): SQL {
  const columns = writtenColumns(table, row);
  const [names, values] = [columns.map(({ name }) => name), columns.map(({ value }) => value)];
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(values, sql`, `)} ${from}`;
}

/** `INSERT` of rows with the columns of the first, passed as one JSON parameter. */
export function insertRows<Table extends SQLiteTable>(table: Table, rows: Table["$inferInsert"][]): SQL {
  const [first = {}] = rows;
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => Reflect.get(first, name) !== undefined);
  const values = rows.map((row) => columns.map(([name, column]) => stored(column, Reflect.get(row, name))));
  const names = columns.map(([, column]) => sql.identifier(column.name));
  const selected = columns.map((_, place) => sql.raw(`value ->> ${place}`));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)})
    SELECT ${sql.join(selected, sql`, `)} FROM json_each(${JSON.stringify(values)})`;
}

const stored = (column: SQLiteColumn, value: unknown) => (value === null ? null : column.mapToDriverValue(value));

/** `UPDATE` for a batch, without a database session. */
export function updateRows<Table extends SQLiteTable>(table: Table, row: Partial<Written<Table>>, where: SQL): SQL {
  const set = writtenColumns(table, row).map(({ name, value }) => sql`${name} = ${value}`);
  return sql`UPDATE ${table} SET ${sql.join(set, sql`, `)} WHERE ${where}`;
}
