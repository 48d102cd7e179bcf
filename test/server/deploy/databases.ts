import { createHash, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../../scripts/database/local.ts";
import type { Answer, Call } from "./call.ts";

// D1's API as wrangler calls it (`executeRemotely` and `pollUntilComplete` in wrangler 4.156), with the faults of the
// endpoint for queries that public reports describe.

type Database = {
  uuid: string;
  name: string;
  rows: DatabaseSync;
  uploads: Map<string, string>;
  /** The outcome of the last import. */
  imported?: Answer;
};

/** Databases by name. Each runs the statements that it receives. */
export type Databases = Map<string, Database>;

/** Where the database's file is uploaded for an import: `PUT /uploads/<database>/<etag>`. */
const UPLOADS = "/uploads/";

export function answerDatabase(
  databases: Databases,
  route: string,
  body: string,
  folder: string,
  host = "",
): Answer | undefined {
  const [, method, name, verb] = /^(\w+) \/accounts\/acc\/d1\/database(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(route) ?? [];
  if (method === undefined) return undefined;
  const all = [...databases.values()];
  if (name === undefined) {
    return method === "POST" ? create(databases, JSON.parse(body).name, folder) : listed(all);
  }
  const found = all.find((database) => database.uuid === name || database.name === name);
  if (!found) return { code: 7_404, message: `Couldn't find a database ${name}` };
  if (verb === "query") return query(found.rows, JSON.parse(body).sql);
  if (verb === "import") return runImport(found, JSON.parse(body), host);
  return { result: { uuid: found.uuid, name: found.name } };
}

/** Receives the file of an import and returns its ETag. */
export function receiveUpload(databases: Databases, { path, raw }: Call): string | undefined {
  const [uuid, etag] = path.startsWith(UPLOADS) ? path.slice(UPLOADS.length).split("/") : [];
  const database = [...databases.values()].find((one) => one.uuid === uuid);
  if (!database || etag === undefined) return undefined;
  database.uploads.set(etag, raw.toString());
  return createHash("md5").update(raw).digest("hex");
}

/** The file is where the runtime looks for the database `DB` of its folder. */
function create(databases: Databases, name: string, folder: string): Answer {
  const rows = openDatabase(`${folder}/${name}`);
  const database = { uuid: randomUUID(), name, rows, uploads: new Map() };
  databases.set(name, database);
  return { result: { uuid: database.uuid, name } };
}

const listed = (all: Database[]): Answer => ({
  result: all.map(({ uuid, name }) => ({ uuid, name })),
  result_info: { page: 1, per_page: 10, count: all.length, total_count: all.length },
});

const META = { duration: 1, changes: 0, rows_read: 0, rows_written: 0, size_after: 0 };

const refused = (error: unknown): Answer => ({
  code: 7_500,
  message: `${error instanceof Error ? error.message : error}: SQLITE_ERROR`,
});

/** Runs statements one by one. Those before a failing one stay applied (SlopDotCash/slopdotcash#158). */
function query(rows: DatabaseSync, sql: string): Answer {
  try {
    return { result: cut(sql).map((text) => ({ results: rows.prepare(text).all(), success: true, meta: META })) };
  } catch (error) {
    return refused(error);
  }
}

/**
 * Statements as the server cuts them: at a semicolon, and after BEGIN in capitals, of a trigger on one line, at the first
 * END before white space or a semicolon (cloudflare/workers-sdk#4326, #4727, #4998, #15314, #15690). Quotes in comments
 * open a text (#4713).
 */
function cut(sql: string): string[] {
  const statements: string[] = [];
  let rest = sql;
  while (rest.trim() !== "") {
    const isTrigger = /^(?:\s|--[^\n]*\n)*CREATE TRIGGER [^\n;]*?\bBEGIN\b/.test(rest);
    const end = isTrigger ? /\bEND(?=[\s;])[^;]*;?/i : /^(?:'(?:[^']|'')*'|"[^"]*"|[^;'"]|['"](?=[^'"]*$))*;?/;
    const found = end.exec(rest);
    const length = found ? found.index + found[0].length : rest.length;
    const statement = rest.slice(0, length);
    if (statement.replaceAll(/--[^\n]*/g, "").trim() !== "") statements.push(statement);
    rest = rest.slice(length);
  }
  return statements;
}

type Step = { action: "init" | "ingest" | "poll"; etag?: string; filename?: string };

/** Uploads, runs and reports a file as SQLite reads it, all or nothing. An import goes on if its client is gone. */
function runImport(database: Database, { action, etag = "" }: Step, host: string): Answer | undefined {
  const { uuid, uploads } = database;
  if (action === "init" && !uploads.has(etag)) {
    const upload_url = `http://${host}${UPLOADS}${uuid}/${etag}`;
    return { result: { success: true, type: "import", filename: `${etag}.sql`, upload_url } };
  }
  if (action !== "poll") database.imported = importUpload(database);
  return action === "ingest" ? { result: { ...STATE, status: "active" } } : database.imported;
}

const STATE = { success: true, type: "import", at_bookmark: "1", messages: ["Processed."], errors: [] };

function importUpload({ rows, uploads }: Database): Answer {
  const [text = ""] = [...uploads.values()].slice(-1);
  uploads.clear();
  try {
    rows.exec(`BEGIN; ${text}; COMMIT`);
  } catch (error) {
    if (rows.isTransaction) rows.exec("ROLLBACK");
    return { result: { ...STATE, status: "error", errors: [`${error}: SQLITE_ERROR`] } };
  }
  return {
    result: { ...STATE, status: "complete", result: { num_queries: 1, final_bookmark: "2", meta: META } },
  };
}
