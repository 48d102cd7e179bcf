import { globSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** Where wrangler keeps what is stored on this machine. */
export const STATE = ".wrangler/state";

/**
 * Opens the file of the database that wrangler keeps in a folder, which is created if need be. Through the runtime each
 * statement would be three requests, and nothing else could be done meanwhile.
 */
export async function openDatabase(folder: string): Promise<DatabaseSync> {
  return new DatabaseSync(fileIn(folder) ?? (await create(folder)));
}

const fileIn = (folder: string): string | undefined =>
  globSync(`${folder}/v3/d1/miniflare-D1DatabaseObject/*.sqlite`, {
    exclude: (name) => name.endsWith("metadata.sqlite"),
  })[0];

/** The runtime creates it for the first statement. */
async function create(folder: string): Promise<string> {
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<Env>({ persist: { path: `${folder}/v3` } });
  await env.DB.exec("SELECT 1");
  await dispose();
  const path = fileIn(folder);
  if (!path) throw new Error(`wrangler keeps no database in ${folder}`);
  return path;
}

/** A statement as Drizzle asks D1 for it. */
class Statement {
  readonly #database: DatabaseSync;
  readonly #text: string;
  readonly #parameters: SQLInputValue[];

  constructor(database: DatabaseSync, text: string, parameters: SQLInputValue[] = []) {
    this.#database = database;
    this.#text = text;
    this.#parameters = parameters;
  }

  bind = (...parameters: SQLInputValue[]) => new Statement(this.#database, this.#text, parameters);
  all = async () => ({ results: this.#database.prepare(this.#text).all(...this.#parameters) });
  run = this.all;
  raw = async () => {
    const statement = this.#database.prepare(this.#text);
    statement.setReturnArrays(true);
    return statement.all(...this.#parameters);
  };
}

/** The database as Drizzle asks D1, whose other methods it has not. */
export function asD1(database: DatabaseSync): D1Database {
  const batch = async (statements: Statement[]) => {
    database.exec("BEGIN");
    try {
      const results = [];
      for (const statement of statements) results.push(await statement.all());
      database.exec("COMMIT");
      return results;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  return { prepare: (text: string) => new Statement(database, text), batch } as unknown as D1Database;
}
