import { is, type SQL, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** The rows that belong to an account and to nothing else: those of every table that go when the account is deleted. */
export const deleteRowsOfAccount = (id: number): SQL[] =>
  Object.values(schema).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name, foreignKeys } = getTableConfig(table);
    return foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      const [column] = columns;
      if (key.onDelete !== "cascade" || foreignTable !== schema.users || !column) return [];
      return [sql`DELETE FROM ${sql.identifier(name)} WHERE ${sql.identifier(column.name)} = ${id}`];
    });
  });
