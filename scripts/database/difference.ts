import type { DatabaseSync } from "node:sqlite";
import type { Guard } from "./guard.ts";
import { type StoredStatement, storedGuards } from "./migrations.ts";
import { changedRows } from "./rows.ts";

const drop = ({ type, name }: StoredStatement): string => `DROP ${type.toUpperCase()} ${name};`;
const create = ({ sql }: Guard): string => `${sql};`;

/** The statements that bring a database's triggers, views and full-text tables to the given guards. */
export function difference(db: DatabaseSync, guards: readonly Guard[]): string[] {
  const stored = storedGuards(db);
  const wanted = new Map(guards.filter(({ kind }) => kind !== "rows").map((guard) => [guard.name, guard]));
  const isCurrent = ({ name, sql }: StoredStatement) => wanted.get(name)?.sql === sql;

  const relations = stored.filter(({ type }) => type !== "trigger");
  const dropped = relations.filter((relation) => !isCurrent(relation));
  const kept = new Set(relations.filter(isCurrent).map(({ name }) => name));
  const created = [...wanted.values()].filter(({ kind, name }) => kind !== "trigger" && !kept.has(name));

  const isGone = ({ table }: StoredStatement) => dropped.some(({ type, name }) => type === "view" && name === table);
  const triggers = changedTriggers(
    stored.filter((guard) => guard.type === "trigger" && !isGone(guard)),
    [...wanted.values()].filter(({ kind }) => kind === "trigger"),
  );

  const isRefilled = ({ kind, name }: Guard) => kind === "rows" && created.some((table) => table.name === name);
  const statements = [
    ...triggers.dropped.map(drop),
    ...dropped.map(drop),
    ...created.map(create),
    ...triggers.created.map(create),
    ...guards.filter(isRefilled).map(create),
  ];
  db.exec(statements.join("\n"));
  return [...statements, ...changedRows(db, guards)];
}

/**
 * Recreates the first trigger of a table that differs and all after it: SQLite fires the newest trigger first, so the order
 * of the file must be the order of every database.
 */
function changedTriggers(stored: StoredStatement[], wanted: Guard[]) {
  const before = Map.groupBy(stored, ({ table }) => table);
  const after = Map.groupBy(wanted, ({ sql }) => tableOf(sql));
  const tables = [...new Set([...before.keys(), ...after.keys()])].map((table) => {
    const [old, current] = [before.get(table) ?? [], after.get(table) ?? []];
    const differing = current.findIndex(({ sql }, place) => old[place]?.sql !== sql);
    const first = differing === -1 ? current.length : differing;
    return { dropped: old.slice(first), created: current.slice(first) };
  });
  return {
    dropped: tables.flatMap(({ dropped }) => dropped),
    created: tables.flatMap(({ created }) => created),
  };
}

const tableOf = (trigger: string): string =>
  /\b(?:INSERT|DELETE|UPDATE(?: OF [\w,\s"]+?)?) ON (\w+)/.exec(trigger)?.[1] ?? "";
