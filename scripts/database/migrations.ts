import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const FOLDER = "migrations";
export const BREAKPOINT = "\n--> statement-breakpoint\n";

/** The files of all migrations, in their order. */
export const migrationFiles = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => join(FOLDER, file));

/** A database in memory that the migrations were applied to; it may hold rows that refer to nothing. */
export function migrated(files: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  for (const file of files) db.exec(readFileSync(file, "utf8"));
  return db;
}

export type Stored = { type: "trigger" | "view" | "table"; name: string; table: string; sql: string };

const STORED = `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master
  WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY rowid`;

/** The triggers, views and full-text tables of a database, in the order in which they were created. */
export const storedGuards = (db: DatabaseSync): Stored[] =>
  db
    .prepare(STORED)
    .all()
    .map((row) => ({ ...row }) as Stored);
