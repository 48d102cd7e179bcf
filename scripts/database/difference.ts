import type { DatabaseSync } from "node:sqlite";
import type { Guard } from "./guards.ts";
import { type Stored, storedGuards } from "./migrations.ts";
import { changedRows } from "./rows.ts";

const drop = ({ type, name }: Stored): string => `DROP ${type.toUpperCase()} ${name};`;
const create = ({ comment, sql }: Guard): string => `-- ${comment}\n${sql};`;

/** The statements that give a database the guards of the files. */
export function difference(db: DatabaseSync, guards: readonly Guard[]): string[] {
  const stored = storedGuards(db);
  const wanted = new Map(guards.filter(({ kind }) => kind !== "rows").map((guard) => [guard.name, guard]));
  const isCurrent = ({ name, sql }: Stored) => wanted.get(name)?.sql === sql;

  const relations = stored.filter(({ type }) => type !== "trigger");
  const dropped = relations.filter((relation) => !isCurrent(relation));
  const kept = new Set(relations.filter(isCurrent).map(({ name }) => name));
  const created = [...wanted.values()].filter(({ kind, name }) => kind !== "trigger" && !kept.has(name));

  const isGone = ({ table }: Stored) => dropped.some(({ type, name }) => type === "view" && name === table);
  const triggers = changedTriggers(
    stored.filter((guard) => guard.type === "trigger" && !isGone(guard)),
    [...wanted.values()].filter(({ kind }) => kind === "trigger"),
  );

  const isRefilled = ({ kind, name }: Guard) => kind === "rows" && created.some((table) => table.name === name);
  return [
    ...triggers.dropped.map(drop),
    ...dropped.map(drop),
    ...created.map(create),
    ...triggers.created.map(create),
    ...guards.filter(isRefilled).map(create),
    ...changedRows(db, guards),
  ];
}

/**
 * Of a table whose triggers differ, all are created anew: SQLite fires the one that was created last first, so that the
 * order of the file is the order of every database.
 */
function changedTriggers(stored: Stored[], wanted: Guard[]) {
  const before = Map.groupBy(stored, ({ table }) => table);
  const after = Map.groupBy(wanted, ({ sql }) => tableOf(sql));
  const textOf = (triggers: { sql: string }[] = []) => triggers.map(({ sql }) => sql).join("\n");
  const tables = [...new Set([...before.keys(), ...after.keys()])].filter(
    (table) => textOf(before.get(table)) !== textOf(after.get(table)),
  );
  return {
    dropped: tables.flatMap((table) => before.get(table) ?? []),
    created: tables.flatMap((table) => after.get(table) ?? []),
  };
}

const tableOf = (trigger: string): string =>
  /\b(?:INSERT|DELETE|UPDATE(?: OF [\w,\s]+?)?) ON (\w+)/.exec(trigger)?.[1] ?? "";
