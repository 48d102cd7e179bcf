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

export type StoredStatement = { type: "trigger" | "view" | "table"; name: string; table: string; sql: string };

const STORED = `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master
  WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY rowid`;

/** A database's triggers, views and full-text tables, in order of creation. */
export const storedGuards = (db: DatabaseSync): StoredStatement[] =>
  db
    .prepare(STORED)
    .all()
    .map((row) => ({ ...row }) as StoredStatement);
