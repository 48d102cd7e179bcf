import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Guard } from "./guard.ts";

type Row = Record<string, SQLOutputValue>;

/** Statements that bring the rows of lookup and settings tables to those of the files. */
export function changedRows(db: DatabaseSync, guards: readonly Guard[]): string[] {
  const seeds = Map.groupBy(
    guards.filter(({ kind, name }) => kind === "rows" && isOrdinary(db, name)),
    ({ name }) => name,
  );
  return [...seeds].flatMap(([table, inserts]) => {
    const before = rowsOf(db, table);
    if (before.length === 0) return inserts.map(({ sql }) => `${sql};`);
    const after = seeded(db, table, inserts);
    return [
      ...without(before, after).map((row) => `DELETE FROM ${table} WHERE (${columns(row)}) IS (${values(row)});`),
      ...without(after, before).map((row) => `INSERT INTO ${table} (${columns(row)}) VALUES (${values(row)});`),
    ];
  });
}

/** Excludes full-text tables, whose rows follow their table. */
const isOrdinary = (db: DatabaseSync, table: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE 'CREATE TABLE %'").get(table) !== undefined;

const rowsOf = (db: DatabaseSync, table: string): Row[] => db.prepare(`SELECT * FROM ${table}`).all();

function seeded(db: DatabaseSync, table: string, inserts: readonly Guard[]): Row[] {
  db.exec(`BEGIN; DELETE FROM ${table}`);
  for (const { sql } of inserts) db.exec(sql);
  const rows = rowsOf(db, table);
  db.exec("ROLLBACK");
  return rows;
}

function without(rows: readonly Row[], others: readonly Row[]): Row[] {
  const known = new Set(others.map((row) => JSON.stringify(row)));
  return rows.filter((row) => !known.has(JSON.stringify(row)));
}

const columns = (row: Row): string =>
  Object.keys(row)
    .map((name) => `"${name}"`)
    .join(", ");

const values = (row: Row): string =>
  Object.values(row)
    .map((value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value ?? "NULL")))
    .join(", ");
