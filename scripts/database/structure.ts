import type { DatabaseSync } from "node:sqlite";

export type Column = { name: string; type: string; required: boolean; initial: string | null; generated: boolean };
type Index = { table: string; unique: boolean; columns: readonly (string | null)[]; sql: string };
type ForeignKey = { columns: readonly string[]; rule: string };
type Check = { name: string; expression: string };

export type Table = {
  columns: ReadonlyMap<string, Column>;
  primaryKey: string;
  checks: readonly Check[];
  foreignKeys: readonly ForeignKey[];
};

/** A trigger's statement excludes its name, so that renaming a trigger is not a change. */
type Trigger = { table: string; sql: string; refuses: boolean };

/** The schema of a database as SQLite understands it. Views and full-text tables are tables too. */
export type Structure = {
  tables: ReadonlyMap<string, Table>;
  indexes: ReadonlyMap<string, Index>;
  triggers: ReadonlyMap<string, Trigger>;
};

const TABLES = `SELECT list.name, coalesce(sql, '') AS sql FROM pragma_table_list AS list JOIN sqlite_master USING (name)
  WHERE list.type <> 'shadow' AND list.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY list.name`;

const COLUMNS = `SELECT name, type, "notnull" AS required, dflt_value AS initial, pk, hidden FROM pragma_table_xinfo(?)`;

const FOREIGN_KEYS = `SELECT id, "from", "table", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq`;

/** Excludes the indexes that SQLite creates for primary keys, which have no statement. */
const INDEXES = `SELECT tbl_name AS "table", list.name, list."unique", sql FROM sqlite_master
  JOIN pragma_index_list(tbl_name) AS list USING (name) WHERE type = 'index' AND sql IS NOT NULL`;

const TRIGGERS = `SELECT name, tbl_name AS "table", sql FROM sqlite_master WHERE type = 'trigger'`;

export function readStructure(db: DatabaseSync): Structure {
  const rows = <Row>(sql: string, ...parameters: string[]) => db.prepare(sql).all(...parameters) as Row[];
  const tables = rows<{ name: string; sql: string }>(TABLES).map(({ name, sql }): [string, Table] => {
    const columns = rows<Column & { pk: number; hidden: number }>(COLUMNS, name);
    const keys = rows<{ id: number; from: string; table: string; on_delete: string }>(FOREIGN_KEYS, name);
    const primaryKey = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    const table = {
      columns: new Map(
        columns.map(({ name, type, required, initial, hidden }) => [
          name,
          { name, type, required: Boolean(required), initial, generated: hidden > 1 },
        ]),
      ),
      primaryKey: primaryKey.map(({ name }) => name).join(", "),
      checks: checksOf(sql),
      foreignKeys: [...Map.groupBy(keys, ({ id }) => id).values()].map((parts) => ({
        columns: parts.map(({ from }) => from),
        rule: `${parts.map(({ from }) => from).join(", ")} to ${parts[0]?.table} ${parts[0]?.on_delete}`,
      })),
    };
    return [name, table];
  });
  const indexes = rows<{ table: string; name: string; unique: number; sql: string }>(INDEXES).map(
    ({ table, name, unique, sql }): [string, Index] => {
      const columns = rows<{ name: string | null }>("SELECT name FROM pragma_index_info(?)", name);
      return [name, { table, unique: unique === 1, columns: columns.map((one) => one.name), sql: plain(sql) }];
    },
  );
  const triggers = rows<{ name: string; table: string; sql: string }>(TRIGGERS).map(
    ({ name, table, sql }): [string, Trigger] => {
      const statement = plain(sql).replace(/^CREATE TRIGGER \S+ /, "");
      return [name, { table, sql: statement, refuses: /\bRAISE ?\(/i.test(statement) }];
    },
  );
  return { tables: new Map(tables), indexes: new Map(indexes), triggers: new Map(triggers) };
}

/** A statement with single spaces and without the quotes of names. */
export const plain = (sql: string): string => sql.replaceAll(/["`]/g, "").replaceAll(/\s+/g, " ").trim();

function checksOf(sql: string): Check[] {
  return [...sql.matchAll(/(?:CONSTRAINT\s+["`]?(\w+)["`]?\s+)?\bCHECK\s*\(/gi)].map((match) => {
    const start = match.index + match[0].length;
    const expression = plain(sql.slice(start, closingBracket(sql, start)));
    return { name: match[1] ?? expression, expression };
  });
}

/** Position of the bracket that closes the one before `start`. */
function closingBracket(sql: string, start: number): number {
  let depth = 1;
  let inText = false;
  for (let place = start; place < sql.length; place += 1) {
    const character = sql[place];
    if (character === "'") inText = !inText;
    if (inText) continue;
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0) return place;
  }
  return sql.length;
}
