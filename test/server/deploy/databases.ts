import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { Call } from "./platform.ts";

export type Answered = { result: unknown; result_info?: unknown } | { code: number; message: string };

/** Databases by name. Each runs the statements that it receives. */
export type Databases = Map<string, { uuid: string; name: string; rows: DatabaseSync }>;

export function answerDatabase(databases: Databases, route: string, { body }: Call): Answered | undefined {
  const [, method, name, verb] = /^(\w+) \/accounts\/acc\/d1\/database(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(route) ?? [];
  if (method === undefined) return undefined;
  const all = [...databases.values()];
  if (name === undefined) return method === "POST" ? create(databases, JSON.parse(body).name) : listed(all);
  const found = all.find((database) => database.uuid === name || database.name === name);
  if (!found) return { code: 7_404, message: `Couldn't find a database ${name}` };
  if (verb === "query") return run(found.rows, JSON.parse(body));
  return { result: { uuid: found.uuid, name: found.name } };
}

function create(databases: Databases, name: string): Answered {
  const database = { uuid: randomUUID(), name, rows: new DatabaseSync(":memory:") };
  databases.set(name, database);
  return { result: { uuid: database.uuid, name } };
}

const listed = (all: { uuid: string; name: string }[]): Answered => ({
  result: all.map(({ uuid, name }) => ({ uuid, name })),
  result_info: { page: 1, per_page: 10, count: all.length, total_count: all.length },
});

function run(rows: DatabaseSync, { sql }: { sql: string }): Answered {
  try {
    const results = /^\s*SELECT/i.test(sql) ? rows.prepare(sql).all() : [];
    if (results.length === 0) rows.exec(sql);
    return { result: [{ results, success: true, meta: { duration: 1, changes: 0, rows_read: 0, rows_written: 0 } }] };
  } catch (error) {
    return { code: 7_500, message: String(error) };
  }
}
