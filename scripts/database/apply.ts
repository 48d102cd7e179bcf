import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { unstable_splitSqlQuery } from "wrangler";
import { migrationFiles } from "./migrations.ts";

const NOTED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** What `wrangler d1 migrations apply` does, without its process: the migrations that are new, each as a whole and noted. */
export async function applyMigrations(db: D1Database): Promise<void> {
  await db.prepare(NOTED).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const file of migrationFiles().filter((path) => !applied.has(basename(path)))) {
    const statements = unstable_splitSqlQuery(readFileSync(file, "utf8")).map((statement) => db.prepare(statement));
    await db.batch([...statements, db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(basename(file))]);
  }
}
