import { createHash, createHmac } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** wrangler's local storage. */
export const STATE = ".wrangler/state";

/**
 * Opens the file of wrangler's database in a folder, creating it if needed. Through the runtime, each statement would
 * take three requests and block everything else.
 */
export function openDatabase(folder: string): DatabaseSync {
  const path = databasePath(folder);
  mkdirSync(dirname(path), { recursive: true });
  // wrangler may be serving the database.
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec("PRAGMA journal_mode = WAL");
  return database;
}

/** The file of wrangler's database in a folder. */
export const databasePath = (folder: string): string =>
  `${folder}/v3/d1/miniflare-D1DatabaseObject/${fileNameOf(readFileSync("wrangler.toml", "utf8"))}`;

/**
 * The file name of the database in wrangler.toml: the id of its Durable Object, which the runtime derives from the
 * database id, or from the binding if there is none.
 */
export function fileNameOf(config: string): string {
  const id = (key: string) => new RegExp(`^${key} *= *"(.+)"`, "m").exec(config)?.[1];
  const name = id("preview_database_id") ?? id("database_id") ?? "DB";
  const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
  const half = (of: string | Buffer) => createHmac("sha256", key).update(of).digest().subarray(0, 16);
  const first = half(name);
  return `${Buffer.concat([first, half(first)]).toString("hex")}.sqlite`;
}

/** Runs `work` in a transaction. `work` is synchronous, so that no other transaction begins within it. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** A prepared statement with the interface that Drizzle uses. */
class Statement {
  readonly #statement: StatementSync;
  readonly #parameters: SQLInputValue[];

  constructor(statement: StatementSync, parameters: SQLInputValue[] = []) {
    this.#statement = statement;
    this.#parameters = parameters;
  }

  bind = (...parameters: SQLInputValue[]) => new Statement(this.#statement, parameters);
  rows = () => {
    this.#statement.setReturnArrays(false);
    return { results: this.#statement.all(...this.#parameters) };
  };
  all = async () => this.rows();
  run = this.all;
  raw = async () => {
    this.#statement.setReturnArrays(true);
    return this.#statement.all(...this.#parameters);
  };
}

/** The database with the part of D1's interface that Drizzle uses. */
export function asD1(database: DatabaseSync): D1Database {
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return new Statement(statement);
  };
  const batch = async (statements: Statement[]) =>
    transaction(database, () => statements.map((statement) => statement.rows()));
  return { prepare, batch } as unknown as D1Database;
}
