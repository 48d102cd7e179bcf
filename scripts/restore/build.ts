import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { BackedUpTable, Manifest } from "../../src/back-office/backups/manifest.ts";
import { SCHEMA, STORED_TABLES } from "../../src/back-office/backups/stored-tables.ts";
import { applyMigrations } from "../database/apply.ts";
import { openDatabase, transaction } from "../database/local.ts";
import { migrationFiles, searchStatements } from "../database/migrations.ts";
import { rowsOf, type StoredRow } from "./rows.ts";
import { type FetchedBackup, sha256Of } from "./source.ts";

/** Number of event ids to skip, because receivers may know events that happened after the backup. */
const SKIPPED_IDS = 1_000_000;

/**
 * Builds the database of a backup in a new folder: tables by the backup's migrations, rows without triggers, and
 * derived tables from the rows. Every row is read again and compared.
 */
export function buildDatabase(
  { manifest, lines }: FetchedBackup,
  { folder, keepsIds }: { folder: string; keepsIds: boolean },
): DatabaseSync {
  rmSync(folder, { recursive: true, force: true });
  const database = openDatabase(folder);
  database.exec("PRAGMA foreign_keys = OFF");
  applyMigrations(database, migrationsOf(manifest));
  requireSchema(database, manifest);
  requireTables(database, manifest);
  const triggers = transaction(database, () => withoutTriggers(database));
  transaction(database, () => {
    for (const { name } of ordinaryTables(database)) database.exec(`DELETE FROM "${name}"`);
    for (const table of manifest.tables) load(database, table, rowsOf(table, lines));
  });
  for (const table of manifest.tables) compare(database, table, rowsOf(table, lines));
  transaction(database, () => {
    rebuildDerived(database, triggers);
    restoreSequences(database, manifest);
    endJob(database, manifest);
    if (!keepsIds) skipEventIds(database);
    for (const sql of triggers) database.exec(sql);
  });
  requireSchema(database, manifest);
  applyMigrations(database);
  fillOrderSearch(database);
  return database;
}

/** The files of a backup's migrations: the oldest ones, because each needs those before it. */
function migrationsOf({ migrations }: Manifest): string[] {
  const files = migrationFiles();
  const known = new Set(files.map((file) => basename(file)));
  const newer = migrations.filter((name) => !known.has(name));
  if (newer.length > 0) {
    throw new Error(
      `The backup is of a newer version: this checkout lacks ${newer.join(", ")}. Check out that version.`,
    );
  }
  const applied = files.slice(0, new Set(migrations).size);
  const missing = applied.map((file) => basename(file)).find((name) => !migrations.includes(name));
  if (missing !== undefined) throw new Error(`The backup lacks the migration ${missing}, on which its others depend.`);
  return applied;
}

function requireSchema(database: DatabaseSync, { schema }: Manifest): void {
  const actual = sha256Of(JSON.stringify(database.prepare(SCHEMA).all()));
  if (actual !== schema) throw new Error("The migrations of this checkout build other tables than the backup has.");
}

/** Throws unless the backup has exactly the tables and columns of the schema: their names become part of statements. */
function requireTables(database: DatabaseSync, { tables, sequences }: Manifest): void {
  const stored = new Map(
    database
      .prepare(STORED_TABLES)
      .all()
      .map(({ name, columns }) => [String(name), String(columns)]),
  );
  const inBackup = new Map(tables.map(({ name, columns }) => [name, JSON.stringify(columns)]));
  const known = new Set(ordinaryTables(database).map(({ name }) => String(name)));
  const wrong = [
    ...[...inBackup.keys()].filter((name) => !stored.has(name)).map((name) => `has an unknown table ${name}`),
    ...[...stored.keys()].filter((name) => !inBackup.has(name)).map((name) => `lacks the table ${name}`),
    ...[...stored]
      .filter(([name, columns]) => columns !== inBackup.get(name))
      .map(([name]) => `has other columns in the table ${name}`),
    ...Object.keys(sequences)
      .filter((name) => !known.has(name))
      .map((name) => `has ids of an unknown table ${name}`),
  ];
  if (wrong[0] !== undefined) throw new Error(`The backup ${wrong[0]}.`);
}

/**
 * Drops all triggers and returns them in the order in which they were created, which determines the order in which
 * SQLite fires them.
 */
function withoutTriggers(database: DatabaseSync): string[] {
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  return triggers.map(({ sql }) => String(sql));
}

const ordinaryTables = (database: DatabaseSync) =>
  database
    .prepare(
      `SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE %' AND name NOT GLOB '*_search_*' AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
    )
    .all();

const columnsOf = ({ columns }: BackedUpTable): string => ["rowid", ...columns.map((name) => `"${name}"`)].join(", ");

function load(database: DatabaseSync, table: BackedUpTable, rows: Iterable<StoredRow>): void {
  const places = ["?", ...table.columns.map(() => "?")].join(", ");
  const insert = database.prepare(`INSERT INTO "${table.name}" (${columnsOf(table)}) VALUES (${places})`);
  let count = 0;
  for (const row of rows) {
    try {
      insert.run(...row);
    } catch (error) {
      throw new Error(
        `The table ${table.name} refuses the row ${row[0]}: ${error instanceof Error ? error.message : error}.`,
      );
    }
    count++;
  }
  if (count !== table.rows) throw new Error(`The table ${table.name} has ${count} rows instead of ${table.rows}.`);
}

function compare(database: DatabaseSync, table: BackedUpTable, rows: Iterable<StoredRow>): void {
  const select = database.prepare(`SELECT ${columnsOf(table)} FROM "${table.name}" WHERE rowid = ?`);
  select.setReturnArrays(true);
  for (const row of rows) {
    if (JSON.stringify(select.get(row[0])) !== JSON.stringify(row)) {
      throw new Error(`The row ${row[0]} of the table ${table.name} was not stored as the backup has it.`);
    }
  }
}

/** The search of orders has one entry for all orders of a customer to an address, and a rebuild would add one for each order. */
function fillOrderSearch(database: DatabaseSync): void {
  database.exec("INSERT INTO orders_search (orders_search) VALUES ('delete-all')");
  for (const sql of searchStatements()) if (sql.startsWith("INSERT INTO orders_search (rowid")) database.exec(sql);
}

/** Fills search indexes, product lists and counts, and the customers and orders of tags. */
function rebuildDerived(database: DatabaseSync, triggers: readonly string[]): void {
  for (const { name } of database
    .prepare("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE %' AND name <> 'orders_search'")
    .all()) {
    database.exec(`INSERT INTO "${name}" ("${name}") VALUES ('rebuild')`);
  }
  const recount = triggers.find((sql) => sql.includes(" product_recount "));
  if (!recount) throw new Error("The trigger product_recount is missing");
  database.exec(`${recount}; INSERT INTO product_recounts (n) VALUES (0); DROP TRIGGER product_recount`);
  database.exec(`INSERT INTO customer_tags (tag_id, user_id)
    SELECT tags.id, users.id FROM users CROSS JOIN json_each(users.tags) CROSS JOIN tags ON tags.name = value
    WHERE role = 'customer'`);
  database.exec(`INSERT INTO order_tags (tag_id, order_id)
    SELECT tags.id, orders.id FROM orders CROSS JOIN json_each(orders.tags) CROSS JOIN tags ON tags.name = value`);
}

function restoreSequences(database: DatabaseSync, { sequences }: Manifest): void {
  database.exec("DELETE FROM sqlite_sequence WHERE name <> 'd1_migrations'");
  const insert = database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)");
  for (const [name, seq] of Object.entries(sequences)) insert.run(name, seq);
}

/** Ends the backup's own job, which was running at the time and would start another backup. */
function endJob(database: DatabaseSync, { job, finishedAt }: Manifest): void {
  const { changes } = database
    .prepare(
      `UPDATE jobs SET state = 'completed', cursor = NULL, done = ?2, total = ?2, starts = 0, updated_at = ?3, finished_at = ?3
      WHERE id = ?1 AND kind = 'back_up'`,
    )
    .run(job.id, job.done, finishedAt);
  if (changes !== 1) throw new Error(`The backup lacks its own job ${job.id}.`);
}

function skipEventIds(database: DatabaseSync): void {
  database.exec(`INSERT INTO events (id, type, subject, created_at, data)
    SELECT coalesce(max(id), 0) + ${SKIPPED_IDS}, 'webhook.test', 'webhook:0', unixepoch() * 1000, '{"webhook_id":0}' FROM events`);
}
