import { is } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../../src/platform/db/schema.ts";
import { enumerations } from "../enumerations.ts";
import { migrated, migrationFiles } from "../migrations.ts";
import { codesOf } from "./guards.ts";
import { code, list } from "./markdown.ts";

const dialect = new SQLiteSyncDialect();

const tables = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((value) => getTableConfig(value))
  .sort((one, other) => (one.name < other.name ? -1 : 1));

type Table = (typeof tables)[number];

/** Tables that the columns of a table refer to, by column. */
const targetsOf = ({ foreignKeys }: Table) =>
  new Map(
    foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference();
      return [columns.map(({ name }) => name).join(", "), getTableConfig(foreignTable).name];
    }),
  );

export const tablesAndColumns = (): string => list(tables.map((one) => [code(one.name), columnsOf(one)]));

function columnsOf(one: Table): string {
  const keys = new Set(one.primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name)));
  const targets = targetsOf(one);
  return one.columns
    .map(({ name, primary, notNull }) => {
      const target = targets.get(name);
      return [
        primary || keys.has(name) ? `**${code(name)}**` : code(name),
        notNull || primary ? "" : "?",
        target ? ` → ${code(target)}` : "",
      ].join("");
    })
    .join(", ");
}

/** The values of each enumeration and the columns that hold them. */
export const enumerationTable = (): string =>
  list(
    [...Map.groupBy(enumerations, ({ values }) => values)].map(([values, columns]) => [
      values.map(code).join(", "),
      columns.map(({ table, column }) => code(`${table}.${column}`)).join(", "),
    ]),
  );

export const constraints = (): string =>
  list(
    tables.flatMap(({ name, checks }) =>
      checks.map(({ name: rule, value }): [string, string] => [
        code(`${name}.${rule}`),
        [code(dialect.sqlToQuery(value).sql.replaceAll('"', "")), ...codesOf([rule]).map(code)].join(", "),
      ]),
    ),
  );

/** Names of all constraints, as in constraints.ts. */
export function constraintRules(): string[] {
  const checks = tables.flatMap((table) => table.checks.map(({ name }) => name));
  const found = migrated(migrationFiles()).prepare(RULES).all();
  return [...checks, ...found.map(({ rule }) => String(rule))];
}

/** Ids that AUTOINCREMENT counts are left out: requests choose none (`id_given_before`). */
const RULES = `
  WITH own AS (SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '*_search*' AND name NOT GLOB 'sqlite*')
  SELECT group_concat(own.name || '.' || columns.name, ', ') AS rule
  FROM own, pragma_index_list(own.name) AS indexes, pragma_index_info(indexes.name) AS columns
  WHERE "unique" GROUP BY indexes.name
  UNION SELECT own.name || '.' || columns.name FROM own, pragma_table_info(own.name) AS columns
  WHERE pk AND sql NOT LIKE '%AUTOINCREMENT%' AND NOT EXISTS (SELECT 1 FROM pragma_index_list(own.name) WHERE origin = 'pk')
  UNION SELECT 'FOREIGN KEY ' || keys."table" FROM own, pragma_foreign_key_list(own.name) AS keys`;
