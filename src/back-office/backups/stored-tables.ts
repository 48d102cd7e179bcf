import { sqlList } from "../../platform/db/sql-list.ts";

/** Tables that a restore rebuilds from others. FTS tables and their shadows are left out as well. */
export const DERIVED = ["category_products", "customer_tags", "order_tags", "product_counts"] as const;

/** A table to store, with its columns except generated ones. */
export type StoredTable = { name: string; columns: string[] };

/** Every ordinary table with its columns. A table of a newer version is stored like any other. */
export const STORED_TABLES = `
  SELECT tables.name, json_group_array(columns.name ORDER BY columns.cid) AS columns
  FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
  WHERE tables.sql LIKE 'CREATE TABLE %' AND columns.hidden = 0
    AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB '_cf_*' AND tables.name NOT GLOB '*_search_*'
    AND tables.name NOT IN ('d1_migrations', 'preconditions', 'backup_changes', ${sqlList(DERIVED)})
  GROUP BY tables.name ORDER BY tables.name`;

/** The schema as the database itself states it. A restore compares its hash. */
export const SCHEMA = `
  SELECT type, name, tbl_name, sql FROM sqlite_master
  WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations' ORDER BY type, name`;

/** D1 allows 32 arguments of a function. */
const MOST_ARGUMENTS = 30;

/**
 * The columns of a row as JSON arrays, which `lineOf` joins. The rowid comes first, so that a restore can assign it
 * again.
 */
function rowAsJson({ columns }: StoredTable): string[] {
  const names = ["rowid", ...columns.map((name) => `"${name}"`)];
  const pieces = Math.ceil(names.length / MOST_ARGUMENTS);
  return Array.from(
    { length: pieces },
    (_, n) => `json_array(${names.slice(n * MOST_ARGUMENTS, (n + 1) * MOST_ARGUMENTS)})`,
  );
}

type ReadRow = { id: number } & Record<`part${number}`, string>;

/** The NDJSON line of a row. */
export const lineOf = ({ id, ...parts }: ReadRow): string =>
  `[${Object.values(parts)
    .map((part) => part.slice(1, -1))
    .join(",")}]`;

/** Rows of a table that are after the rowid `?1` or that changed while the backup was reading, in order of their rowid. */
export const selectChanged = (table: StoredTable): string =>
  `SELECT rowid AS id, ${namedParts(table)} FROM "${table.name}"
  WHERE rowid > ?1 OR rowid IN (SELECT changed_row FROM backup_changes WHERE table_name = '${table.name}') ORDER BY rowid`;

const namedParts = (table: StoredTable) => rowAsJson(table).map((part, n) => `${part} AS part${n}`);

/** Number of rows read in one slice of the walk: fewer if they are long, but at least one. */
const ROWS = 2_000;
const BYTES = 4_000_000;

/** The next rows after the rowid `?1`, up to `?2`. */
export function selectNext(table: StoredTable): string {
  const parts = rowAsJson(table).map((_, n) => `part${n}`);
  const length = parts.map((part) => `octet_length(${part})`).join(" + ");
  return `SELECT id, ${parts} FROM (
    SELECT *, sum(${length}) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes, row_number() OVER (ORDER BY id) AS place
    FROM (SELECT rowid AS id, ${namedParts(table)} FROM "${table.name}" WHERE rowid > ?1 AND rowid <= ?2
      ORDER BY rowid LIMIT ${ROWS}))
  WHERE bytes <= ${BYTES} OR place = 1 ORDER BY id`;
}

/** Ranges of consecutive existing rowids. */
export const selectPresent = ({ name }: StoredTable): string =>
  `SELECT min(id) AS first, max(id) AS last FROM (SELECT rowid AS id, rowid - row_number() OVER (ORDER BY rowid) AS run FROM "${name}")
  GROUP BY run ORDER BY first`;
