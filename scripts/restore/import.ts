import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { wrangler, wranglerJson } from "../deploy/wrangler.ts";

/** Maximum characters of a file of statements, which D1 runs as a whole or not at all. */
const FILE_CHARACTERS = 5_000_000;

/** D1's limit for a statement is 100,000 bytes. */
const STATEMENT_BYTES = 90_000;

/**
 * The table with the progress of an import. It is dropped last, with the first file that makes the database look like a
 * shop.
 */
const PROGRESS = "restore_progress";

type Target = { name: string; backup: string; where?: readonly string[] };

/**
 * Imports a database into an empty one of D1, file by file. An interrupted import continues after its last file. Until
 * the last one, the database has no list of migrations, so that no deployment treats it as a shop.
 */
export async function importDatabase(
  database: DatabaseSync,
  { name, backup, where = ["--remote"] }: Target,
): Promise<void> {
  const query = (sql: string) => wranglerJson("d1", "execute", name, ...where, "--json", "--command", sql) as Result;
  const begun = await progressOf(query, backup);
  const folder = mkdtempSync(join(tmpdir(), "storefront-"));
  const file = join(folder, "statements.sql");
  let place = 0;
  try {
    for (const statements of filesOf(database, backup)) {
      place++;
      if (place <= begun) continue;
      writeFileSync(file, `${statements}\n`, { mode: 0o600 });
      wrangler(["d1", "execute", name, ...where, "--yes", "--file", file]);
      console.log(`  file ${place} of the import is in ${name}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const counts = countsOf(database);
  for (let from = 0; from < counts.length; from += COUNTED_AT_ONCE) {
    const some = counts.slice(from, from + COUNTED_AT_ONCE);
    const [{ results: [found] = [] } = {}] = query(
      `SELECT ${some.map(({ table }) => `(SELECT count(*) FROM "${table}") AS "${table}"`).join(", ")}`,
    );
    for (const { table, rows } of some) {
      if (found?.[table] !== rows)
        throw new Error(`${name} has ${found?.[table]} rows in ${table} instead of ${rows}.`);
    }
  }
}

/** D1 returns at most 100 columns. */
const COUNTED_AT_ONCE = 50;

type Result = { results?: Record<string, unknown>[] }[];

async function progressOf(query: (sql: string) => Result, backup: string): Promise<number> {
  const [{ results: tables = [] } = {}] = query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
  );
  if (tables.length === 0) return 0;
  if (!tables.some(({ name }) => name === PROGRESS)) throw new Error("The database is not empty. Create a new one.");
  const [{ results: [row] = [] } = {}] = query(`SELECT backup, max(place) AS place FROM ${PROGRESS}`);
  if (row?.backup !== backup)
    throw new Error(`The database holds a part of the backup ${row?.backup}. Create a new one.`);
  return Number(row.place);
}

const ORDINARY =
  "sql LIKE 'CREATE TABLE %' AND name NOT GLOB '*_search_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";

const countsOf = (database: DatabaseSync) =>
  tablesOf(database).map(({ name }) => ({
    table: String(name),
    rows: database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows,
  }));

const tablesOf = (database: DatabaseSync) =>
  database.prepare(`SELECT name, sql FROM sqlite_master WHERE ${ORDINARY} ORDER BY rowid`).all();

/**
 * Files of statements: the tables with their unique indexes, their rows, then other indexes, search tables, views,
 * triggers and the list of migrations.
 */
function* filesOf(database: DatabaseSync, backup: string): Generator<string> {
  let place = 0;
  const noted = () => `INSERT INTO ${PROGRESS} (place, backup) VALUES (${++place}, ${literal(backup)});`;
  const tables = tablesOf(database).filter(({ name }) => name !== "d1_migrations");
  yield [
    `CREATE TABLE ${PROGRESS} (place INTEGER PRIMARY KEY, backup TEXT NOT NULL);`,
    ...tables.map(({ sql }) => `${sql};`),
    // A reference to several columns requires their unique index.
    ...uniqueIndexesOf(database),
    noted(),
  ].join("\n");
  let [text, characters]: [string[], number] = [[], 0];
  for (const { name } of tables) {
    for (const statement of insertsOf(database, String(name))) {
      text.push(statement);
      characters += statement.length;
      if (characters < FILE_CHARACTERS) continue;
      yield ["PRAGMA defer_foreign_keys = ON;", ...text, noted()].join("\n");
      [text, characters] = [[], 0];
    }
  }
  const others = database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*'
      AND (type <> 'table' OR sql LIKE 'CREATE VIRTUAL TABLE %') AND sql NOT LIKE 'CREATE UNIQUE INDEX %' ORDER BY type = 'trigger', type = 'table', rowid`)
    .all();
  const searches = others.filter(({ sql }) => /^CREATE VIRTUAL/.test(String(sql)));
  const rebuilt = searches.map(({ name }) => `INSERT INTO "${name}" ("${name}") VALUES ('rebuild');`);
  const isTrigger = ({ sql }: { sql?: SQLOutputValue }) => /^CREATE TRIGGER/.test(String(sql));
  yield [
    "PRAGMA defer_foreign_keys = ON;",
    ...text,
    ...others.filter((other) => !isTrigger(other)).map(({ sql }) => `${sql};`),
    ...rebuilt,
    ...sequencesOf(database),
    ...others.filter(isTrigger).map(({ sql }) => `${sql};`),
    ...migrationsOf(database),
    `DROP TABLE ${PROGRESS};`,
  ].join("\n");
}

const uniqueIndexesOf = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE UNIQUE INDEX %' ORDER BY rowid")
    .all()
    .map(({ sql }) => `${sql};`);

function* insertsOf(database: DatabaseSync, table: string): Generator<string> {
  const isKeyed = /WITHOUT ROWID/.test(
    String(database.prepare("SELECT sql FROM sqlite_master WHERE name = ?").get(table)?.sql),
  );
  const columns = database
    .prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
    .all(table)
    .map(({ name }) => `"${name}"`);
  const names = [...(isKeyed ? [] : ["rowid"]), ...columns].join(", ");
  const head = `INSERT INTO "${table}" (${names}) VALUES`;
  const select = database.prepare(`SELECT ${names} FROM "${table}"`);
  select.setReturnArrays(true);
  let [rows, bytes]: [string[], number] = [[], 0];
  for (const row of select.iterate()) {
    const values = `(${Object.values(row).map(literal).join(",")})`;
    if (rows.length > 0 && bytes + Buffer.byteLength(values) > STATEMENT_BYTES) {
      yield `${head} ${rows.join(",")};`;
      [rows, bytes] = [[], 0];
    }
    rows.push(values);
    bytes += Buffer.byteLength(values);
  }
  if (rows.length > 0) yield `${head} ${rows.join(",")};`;
}

const sequencesOf = (database: DatabaseSync): string[] => [
  "DELETE FROM sqlite_sequence;",
  ...database
    .prepare("SELECT name, seq FROM sqlite_sequence")
    .all()
    .map(({ name, seq }) => `INSERT INTO sqlite_sequence (name, seq) VALUES (${literal(name)}, ${seq});`),
];

const migrationsOf = (database: DatabaseSync): string[] => [
  ...database
    .prepare("SELECT sql FROM sqlite_master WHERE name = 'd1_migrations'")
    .all()
    .map(({ sql }) => `${sql};`),
  ...database
    .prepare("SELECT id, name FROM d1_migrations")
    .all()
    .map(({ id, name }) => `INSERT INTO d1_migrations (id, name) VALUES (${id}, ${literal(name)});`),
];

const literal = (value: SQLOutputValue | undefined): string =>
  value === null || value === undefined
    ? "NULL"
    : typeof value === "string"
      ? `'${value.replaceAll("'", "''")}'`
      : String(value);
