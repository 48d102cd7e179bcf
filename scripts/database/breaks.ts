import { DatabaseSync } from "node:sqlite";
import { storedGuards } from "./migrations.ts";
import { storedEnumerations } from "./stored-enumerations.ts";
import { type Column, readStructure, type Structure, type Table } from "./structure.ts";

/** A change of the schema that breaks code written for the previous schema. */
export type Break = {
  /** The table, `table.column`, `table.constraint`, `table.column=value`, index or trigger that changed. */
  subject: string;
  problem: string;
  instead: string;
};

const LATER = "Stop using it, release that, and drop it in the release after.";
const FIRST = "Release code that satisfies it first, and add it in the release after.";
const KEEP = "Keep it, add the new one under another name, and drop this one in the release after.";

/** A state of a database in which to look for breaks. */
export type State = Structure & {
  values: ReadonlyMap<string, readonly string[]>;
  /** Rows that migrations insert, such as the transitions between statuses. */
  rows: ReadonlyMap<string, readonly Record<string, unknown>[]>;
};

export function readState(db: DatabaseSync): State {
  const structure = readStructure(db);
  const enumerations = storedEnumerations(storedGuards(db));
  const filled = [...structure.tables.keys()].flatMap((name) => {
    const rows = db.prepare(`SELECT * FROM "${name}"`).all();
    return rows.length > 0 ? [[name, rows] as const] : [];
  });
  return {
    ...structure,
    values: new Map(enumerations.map(({ table, column, values }) => [`${table}.${column}`, values])),
    rows: new Map(filled),
  };
}

/** Every difference between two states that breaks code written for the first. */
export function breaksBetween(before: State, after: State): Break[] {
  return [
    ...[...before.tables].flatMap(([name, table]) => {
      const next = after.tables.get(name);
      if (!next) return [{ subject: name, problem: "is dropped or renamed", instead: LATER }];
      return [...columnBreaks(name, table, next), ...constraintBreaks(name, table, next)];
    }),
    ...valueBreaks(before, after),
    ...indexBreaks(before, after),
    ...triggerBreaks(before, after),
    ...rowBreaks(before, after),
  ];
}

function columnBreaks(name: string, before: Table, after: Table): Break[] {
  const kept = [...before.columns.values()].flatMap((column): Break[] => {
    const subject = `${name}.${column.name}`;
    const next = after.columns.get(column.name);
    if (!next) return [{ subject, problem: "is dropped or renamed", instead: LATER }];
    if (next.type !== column.type) {
      return [{ subject, problem: `was ${column.type} and becomes ${next.type}`, instead: KEEP }];
    }
    if (next.generated && !column.generated) {
      return [{ subject, problem: "becomes a generated column, which nothing can write", instead: KEEP }];
    }
    if (next.required && !column.required) return [{ subject, problem: "becomes NOT NULL", instead: FIRST }];
    if (isDemanded(next) && !isDemanded(column)) return [{ subject, problem: "loses its default", instead: FIRST }];
    return [];
  });
  const added = [...after.columns.values()].flatMap((column): Break[] =>
    before.columns.has(column.name) || !isDemanded(column)
      ? []
      : [
          {
            subject: `${name}.${column.name}`,
            problem: "is new and NOT NULL without a default",
            instead: "Give it a default or let it be null.",
          },
        ],
  );
  return [...kept, ...added];
}

/** True if an INSERT has to name the column. */
const isDemanded = ({ required, initial, generated }: Column): boolean => required && initial === null && !generated;

function constraintBreaks(name: string, before: Table, after: Table): Break[] {
  const known = new Set(before.checks.map(({ expression }) => expression));
  const rules = new Set(before.foreignKeys.map(({ rule }) => rule));
  const added = newColumns(before, after);
  return [
    ...after.checks
      .filter(({ expression }) => !known.has(expression) && !holdsByDefault(expression, before, added))
      .map((check) => ({ subject: `${name}.${check.name}`, problem: "is a new CHECK", instead: FIRST })),
    ...after.foreignKeys
      .filter(({ rule, columns }) => !rules.has(rule) && !columns.some((column) => isLeftNull(added.get(column))))
      .map(({ columns }) => ({
        subject: `${name}.${columns.join("+")}`,
        problem: "gets a new FOREIGN KEY",
        instead: FIRST,
      })),
    ...(before.primaryKey === after.primaryKey
      ? []
      : [{ subject: `${name}.primary_key`, problem: "changes", instead: KEEP }]),
  ];
}

const newColumns = (before: Table | undefined, after: Table | undefined): Map<string, Column> =>
  new Map([...(after?.columns ?? [])].filter(([name]) => !before?.columns.has(name)));

/** True if rows that do not name the column have null in it, which no key or unique index compares. */
const isLeftNull = (column: Column | undefined): boolean => column !== undefined && column.initial === null;

/** True if a CHECK covers only new columns and accepts their defaults. */
function holdsByDefault(expression: string, before: Table, added: ReadonlyMap<string, Column>): boolean {
  const words = new Set(expression.match(/\w+/g));
  if ([...before.columns.keys()].some((name) => words.has(name)) || added.size === 0) return false;
  const defaults = [...added.values()].map(({ name, initial }) => `${initial ?? "NULL"} AS "${name}"`);
  const row = new DatabaseSync(":memory:").prepare(
    `SELECT coalesce(${expression}, 1) AS holds FROM (SELECT ${defaults})`,
  );
  return row.get()?.holds === 1;
}

function valueBreaks(before: State, after: State): Break[] {
  const removed = [...before.values].flatMap(([column, values]) =>
    values
      .filter((value) => after.values.get(column)?.includes(value) === false)
      .map((value) => ({ subject: `${column}=${value}`, problem: "is no longer a value", instead: LATER })),
  );
  const limited = [...after.values.keys()].filter((name) => {
    const [table = "", column = ""] = name.split(".");
    return !before.values.has(name) && before.tables.get(table)?.columns.has(column);
  });
  return [
    ...removed,
    ...limited.map((subject) => ({ subject, problem: "becomes limited to certain values", instead: FIRST })),
  ];
}

function indexBreaks(before: State, after: State): Break[] {
  const needed = "and queries of the running version may name it (INDEXED BY, ON CONFLICT) or be slow without it";
  const kept = [...before.indexes].flatMap(([subject, index]): Break[] => {
    if (!after.tables.has(index.table)) return [];
    const next = after.indexes.get(subject);
    if (!next) return [{ subject, problem: `is dropped, ${needed}`, instead: LATER }];
    return next.sql === index.sql ? [] : [{ subject, problem: `changes, ${needed}`, instead: KEEP }];
  });
  const added = [...after.indexes].flatMap(([subject, { table, unique, columns }]): Break[] => {
    if (!unique || before.indexes.has(subject) || !before.tables.has(table)) return [];
    const fresh = newColumns(before.tables.get(table), after.tables.get(table));
    const free = columns.some((column) => column !== null && isLeftNull(fresh.get(column)));
    return free ? [] : [{ subject, problem: "is a new UNIQUE index", instead: FIRST }];
  });
  return [...kept, ...added];
}

/** Triggers of enumerations are compared by their values. */
const isEnumeration = (name: string): boolean => /_no_unlisted_(?:insert|update)$/.test(name);

function triggerBreaks(before: State, after: State): Break[] {
  const old = new Set([...before.triggers.values()].map(({ sql }) => sql));
  const current = new Set([...after.triggers.values()].map(({ sql }) => sql));
  const dropped = [...before.triggers].filter(
    ([name, { table, sql }]) =>
      after.tables.has(table) && !after.triggers.has(name) && !current.has(sql) && !isEnumeration(name),
  );
  const stricter = [...after.triggers].filter(
    ([name, { table, sql, refuses }]) => refuses && before.tables.has(table) && !old.has(sql) && !isEnumeration(name),
  );
  return [
    ...dropped.map(([subject]) => ({
      subject,
      problem: "is dropped, and the running version relies on what the trigger does",
      instead: LATER,
    })),
    ...stricter.map(([subject]) => ({
      subject,
      problem: before.triggers.has(subject)
        ? "is a changed guard, which may refuse what the running version writes"
        : "is a new guard, which may refuse what the running version writes",
      instead: `${FIRST} If it refuses nothing that the running version writes, say so: -- expand: ${subject}, <reason>`,
    })),
  ];
}

function rowBreaks(before: State, after: State): Break[] {
  return [...before.rows].flatMap(([table, rows]) => {
    const next = after.tables.get(table);
    if (!next) return [];
    const shared = [...(before.tables.get(table)?.columns.keys() ?? [])].filter((name) => next.columns.has(name));
    const key = (row: Record<string, unknown>) => shared.map((name) => String(row[name])).join("/");
    const kept = new Set(after.rows.get(table)?.map(key));
    return rows
      .map(key)
      .filter((row) => !kept.has(row))
      .map((row) => ({ subject: `${table}=${row}`, problem: "is a row that is deleted or changed", instead: LATER }));
  });
}
