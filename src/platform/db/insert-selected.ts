import { getTableColumns, isSQLWrapper, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Columns of a new row, each a value, a column of `from` or SQL. */
type Selected<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]: Table["$inferInsert"][Name] | SQLWrapper;
};

/**
 * `INSERT … SELECT` for each row of `from` (such as `FROM orders WHERE …`), or for one row. Drizzle's own cannot leave out
 * columns.
 */
export function insertSelected<Table extends SQLiteTable>(table: Table, row: Selected<Table>, from = sql``): SQL {
  const columns = getTableColumns(table);
  const entries = Object.entries(row).flatMap(([name, value]) => {
    const column = columns[name];
    return column && value !== undefined ? [{ column, value }] : [];
  });
  const names = entries.map(({ column }) => sql.identifier(column.name));
  const values = entries.map(({ column, value }) => (isSQLWrapper(value) ? value : sql.param(value, column)));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(values, sql`, `)} ${from}`;
}
