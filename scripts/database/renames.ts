import type { DatabaseSync } from "node:sqlite";
import { enumerations } from "./enumerations.ts";
import { readGuards } from "./guards.ts";
import { type StoredStatement, storedGuards } from "./migrations.ts";
import { type Enumeration, storedEnumerations } from "./stored-enumerations.ts";

/** New values of an enumeration, by the value that each replaces. */
export type Renames = ReadonlyMap<string, string>;

/**
 * Statements that rename values in rows. The table's triggers and full-text table are dropped first, so that none
 * records this as a change, and recreated afterwards.
 */
export function renamedValues(db: DatabaseSync, renames: Renames): string[] {
  const stored = storedGuards(db);
  const lookups = new Set(readGuards().flatMap(({ kind, name }) => (kind === "rows" ? [name] : [])));
  const updates = storedEnumerations(stored)
    .filter(({ table }) => !lookups.has(table))
    .flatMap((before) => updatesOf(before, renames));
  const tables = [...new Set(updates.map(({ table }) => table))];
  return [...tables.flatMap((table) => dropsOf(stored, table)), ...updates.map(({ sql }) => sql)];
}

function updatesOf({ table, column, values }: Enumeration, renames: Renames): { table: string; sql: string }[] {
  const current = enumerations.find((one) => one.table === table && one.column === column);
  if (!current) return [];
  return values
    .filter((value) => !current.values.includes(value))
    .map((value) => {
      const to = renames.get(value);
      if (to === undefined || !current.values.includes(to)) {
        throw new Error(`${table}.${column} may hold ${value}: say what it becomes, by --rename ${value}=<value>`);
      }
      return { table, sql: `UPDATE ${table} SET "${column}" = '${to}' WHERE "${column}" = '${value}';` };
    });
}

/**
 * Statements that drop the triggers on a table, and the full-text tables whose content is the table or a view of it.
 */
function dropsOf(stored: readonly StoredStatement[], table: string): string[] {
  const views = stored.filter(({ type, sql }) => type === "view" && sql.includes(`FROM ${table} `));
  const contents = [table, ...views.map(({ name }) => name)].map((name) => `content = '${name}'`);
  return stored
    .filter(({ type, table: on, sql }) =>
      type === "trigger" ? on === table : contents.some((content) => sql.includes(content)),
    )
    .map(({ type, name }) => `DROP ${type.toUpperCase()} IF EXISTS ${name};`);
}
