import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const FOLDER = "migrations";
export const BREAKPOINT = "\n--> statement-breakpoint\n";

/** The files of all migrations, in order. */
export const migrationFiles = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => join(FOLDER, file));

/** An in-memory database with the migrations applied. Foreign keys are not enforced. */
export function migrated(files: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  for (const file of files) db.exec(readFileSync(file, "utf8"));
  return db;
}

/** Statements of the migrations that fill full-text tables, and make them overwrite what they delete. */
export function searchStatements(): string[] {
  const fills = new Map<string, string[]>();
  for (const sql of migrationFiles().flatMap((file) => readFileSync(file, "utf8").split(BREAKPOINT))) {
    const [, what, name = ""] = /^(CREATE VIRTUAL TABLE|INSERT INTO) (\w+_search)\b/.exec(sql) ?? [];
    if (what === "INSERT INTO") fills.get(name)?.push(sql.trim().replace(/;$/, ""));
    else if (what) fills.set(name, []);
  }
  return [...fills.values()].flat();
}

export type StoredStatement = { type: "trigger" | "view" | "table"; name: string; table: string; sql: string };

const STORED = `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master
  WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY rowid`;

/** A database's triggers, views and full-text tables, in order of creation. */
export const storedGuards = (db: DatabaseSync): StoredStatement[] =>
  db
    .prepare(STORED)
    .all()
    .map((row) => ({ ...row }) as StoredStatement);
