import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NOTED } from "../database/apply.ts";
import { migrated } from "../database/migrations.ts";
import { plain } from "../database/structure.ts";
import { type Deployment, migrationsOf } from "./config.ts";
import { query } from "./platform.ts";
import { withFile, wrangler } from "./wrangler.ts";

/**
 * Everything that migrations create. SQLite chooses the form of a full-text table's own tables, whose names it puts in
 * single quotes.
 */
const SCHEMA = `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND sql NOT LIKE 'CREATE TABLE ''%'
  AND name <> 'd1_migrations' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'`;

const MAX_PROBLEMS = 20;

/**
 * Applies migrations and records them, all or nothing. wrangler sends a file to D1's import, which brings the database
 * back to its original state if it fails (`executeRemotely` in wrangler 4.156). `wrangler d1 migrations apply` sends
 * the text to the endpoint for queries, where statements before a failing one may stay applied
 * (SlopDotCash/slopdotcash#158).
 */
export function applyMigrations({ database, migrations }: Deployment, pending: readonly string[]): void {
  const applied = pending.map(
    (file) => `${readFileSync(join(migrations, file), "utf8")}\nINSERT INTO d1_migrations (name) VALUES ('${file}');\n`,
  );
  withFile("migrations.sql", `${NOTED};\n${applied.join("")}`, (path) =>
    wrangler(["d1", "execute", database, "--remote", "--yes", "--file", path]),
  );
}

/** Throws if the deployed database is not exactly what these migrations make of an empty one. */
export function requireSchema(deployment: Deployment, applied: readonly string[]): void {
  const known = migrationsOf(deployment);
  // Newer code has migrated the database, and this code cannot tell to what.
  if (!applied.every((file) => known.includes(file))) return;
  const expected = migrated(applied.map((file) => join(deployment.migrations, file)));
  const wanted = byName(expected.prepare(SCHEMA).all());
  const found = byName(query(deployment, SCHEMA));
  const problems = [
    ...[...wanted].flatMap(([name, sql]) => {
      const actual = found.get(name);
      if (actual === sql) return [];
      return [actual === undefined ? `${name} is missing` : `${name} differs: ${actual}\n    instead of: ${sql}`];
    }),
    ...[...found.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} comes from no applied migration`),
  ];
  if (problems.length === 0) return;
  const { database } = deployment;
  const more = problems.length > MAX_PROBLEMS ? [`  and ${problems.length - MAX_PROBLEMS} more`] : [];
  throw new Error(
    [
      `The database ${database} differs from what its ${applied.length} applied migrations make:`,
      ...problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${problem}`),
      ...more,
      "A migration stopped half-way, or somebody changed the database by hand.",
      applied.length === 0
        ? `No migration was completed, so no shop has run on it. If it has nothing that you need: npx wrangler d1 delete ${database}`
        : `Go back to a moment before the change: npx wrangler d1 time-travel restore ${database} --timestamp <when>`,
    ].join("\n"),
  );
}

const byName = (rows: readonly Record<string, unknown>[]): Map<string, string> =>
  new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, plain(String(sql))]));
