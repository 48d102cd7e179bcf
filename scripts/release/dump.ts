import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

/** The content of a database in a form that can be loaded into node:sqlite, or into D1 by statements alone. */
export type Dump = {
  /** Statements that create tables, before the rows, and everything else, after them, in order of creation. */
  tables: string[];
  others: string[];
  /** Statements that fill full-text tables. */
  searches: string[];
  rows: Record<string, { columns: string[]; values: SQLOutputValue[][] }>;
};

/** Bytes of a statement, safely below D1's limit of 100,000. */
const STATEMENT_BYTES = 80_000;

const TABLES = `SELECT list.name, sql FROM pragma_table_list AS list JOIN sqlite_master USING (name)
  WHERE list.type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'
  ORDER BY sqlite_master.rowid`;

const OTHERS = `SELECT sql FROM sqlite_master LEFT JOIN pragma_table_list AS list USING (name)
  WHERE sql IS NOT NULL AND coalesce(list.type, '') NOT IN ('table', 'shadow') ORDER BY sqlite_master.rowid`;

export function dumpOf(db: DatabaseSync, searches: string[]): Dump {
  const tables = db.prepare(TABLES).all() as { name: string; sql: string }[];
  const names = ["sqlite_sequence", ...tables.map(({ name }) => name)];
  return {
    tables: tables.map(({ sql }) => sql),
    others: db
      .prepare(OTHERS)
      .all()
      .map(({ sql }) => String(sql)),
    searches,
    rows: Object.fromEntries(names.flatMap((name) => rowsOf(db, name))),
  };
}

function rowsOf(db: DatabaseSync, table: string): [string, Dump["rows"][string]][] {
  const columns = db
    .prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
    .all(table)
    .map(({ name }) => String(name));
  const statement = db.prepare(`SELECT ${columns.map((name) => `"${name}"`).join(", ")} FROM "${table}"`);
  statement.setReturnArrays(true);
  const values = statement.all() as unknown as SQLOutputValue[][];
  return values.length === 0 ? [] : [[table, { columns, values }]];
}

const isUniqueIndex = (sql: string): boolean => sql.startsWith("CREATE UNIQUE INDEX");

/** Statements that create the database of a dump, each short enough for D1. */
export const statementsOf = ({ tables, others, searches, rows }: Dump): string[] => [
  ...tables,
  // A reference to several columns requires their unique index.
  ...others.filter(isUniqueIndex),
  "DELETE FROM sqlite_sequence",
  ...Object.entries(rows).flatMap(([table, { columns, values }]) => inserts(table, columns, values)),
  // Triggers come last: loading the rows must not fire them.
  ...others.filter((sql) => !sql.startsWith("CREATE TRIGGER") && !isUniqueIndex(sql)),
  ...searches,
  ...others.filter((sql) => sql.startsWith("CREATE TRIGGER")),
];

function inserts(table: string, columns: string[], rows: SQLOutputValue[][]): string[] {
  const start = `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) VALUES `;
  const statements: string[] = [];
  let tuples: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const tuple = `(${row.map(literal).join(",")})`;
    const length = Buffer.byteLength(tuple);
    if (tuples.length > 0 && bytes + length > STATEMENT_BYTES) {
      statements.push(start + tuples.join(","));
      [tuples, bytes] = [[], 0];
    }
    tuples.push(tuple);
    bytes += length;
  }
  return [...statements, start + tuples.join(",")];
}

function literal(value: SQLOutputValue): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  return String(value);
}

/** An in-memory database with the content of a dump. */
export function loaded(dump: Dump): DatabaseSync {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  for (const statement of statementsOf(dump)) db.exec(statement);
  db.exec("PRAGMA foreign_keys = ON");
  return db;
}
