import { getTableColumns, isSQLWrapper, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

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

/** `UPDATE` for a batch, without a database session. */
export function updateRows<Table extends SQLiteTable>(table: Table, row: Partial<Written<Table>>, where: SQL): SQL {
  const set = writtenColumns(table, row).map(({ name, value }) => sql`${name} = ${value}`);
  return sql`UPDATE ${table} SET ${sql.join(set, sql`, `)} WHERE ${where}`;
}
