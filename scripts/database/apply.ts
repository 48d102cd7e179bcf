import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { transaction } from "./local.ts";
import { migrationFiles } from "./migrations.ts";

/** The table in which wrangler records migrations. */
export const NOTED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** Does the work of `wrangler d1 migrations apply` in this process: applies and records each new migration. */
export function applyMigrations(database: DatabaseSync, files = migrationFiles()): void {
  database.exec(NOTED);
  const applied = new Set(
    database
      .prepare("SELECT name FROM d1_migrations")
      .all()
      .map(({ name }) => name),
  );
  for (const file of files.filter((path) => !applied.has(basename(path)))) {
    transaction(database, () => {
      database.exec(readFileSync(file, "utf8"));
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(basename(file));
    });
  }
}
