import { encode as toHex } from "@stablelib/hex";
import { type SQL, sql } from "drizzle-orm";
import { appliedMigrations, type Database } from "../../platform/db/client.ts";
import {
  lineOf,
  SCHEMA,
  STORED_TABLES,
  type StoredTable,
  selectChanged,
  selectNext,
  selectPresent,
} from "./stored-tables.ts";
import { slicedTables } from "./tables.ts";

type Lines = { id: number; line: string }[];

type Rows = Parameters<typeof lineOf>[0][];

const linesOf = (rows: Rows): Lines => rows.map((row) => ({ id: row.id, line: lineOf(row) }));

/** Lower than every rowid. */
export const FIRST = Number.MIN_SAFE_INTEGER;

/** A database's size, its tables, and the number of erased accounts. */
export async function survey(db: Database): Promise<{ bytes: number; tables: StoredTable[]; erased: number }> {
  const { results, meta } = await db.$client.prepare(STORED_TABLES).all<{ name: string; columns: string }>();
  const erased = await db.$client.prepare(ERASED).first<number>("erased");
  return { bytes: meta.size_after, tables: results.map(parseTable), erased: erased ?? 0 };
}

const ERASED = "SELECT count(*) AS erased FROM users WHERE erased_at IS NOT NULL";

const parseTable = ({ name, columns }: { name: string; columns: string }): StoredTable => ({
  name,
  columns: JSON.parse(columns),
});

/** The tables that are read in slices, with their last rowid now: later rows are read at the end. */
export async function findGrowing(db: Database, tables: StoredTable[]): Promise<{ name: string; upTo: number }[]> {
  const growing = tables.filter(({ name }) => slicedTables.includes(name));
  const last = growing.map(({ name }) => db.$client.prepare(`SELECT max(rowid) AS "upTo" FROM "${name}"`));
  const results = await db.$client.batch<{ upTo: number | null }>(last);
  return growing.map(({ name }, n) => ({ name, upTo: results[n]?.results[0]?.upTo ?? FIRST }));
}

/** The next lines of a table. */
export async function readNext(
  db: Database,
  table: StoredTable,
  { after, upTo }: { after: number; upTo: number },
): Promise<Lines> {
  const { results } = await db.$client.prepare(selectNext(table)).bind(after, upTo).all<Rows[number]>();
  return linesOf(results);
}

export type SettledWalk = {
  moment: number;
  /**
   * True if the walk has to be repeated: changes were not recorded, a table was altered, or an account was erased, whose data
   * must not stay in the backup.
   */
  isOutdated: boolean;
  migrations: string[];
  schema: string;
  sequences: Record<string, number>;
  tables: (StoredTable & { lines: string[]; present: [first: number, last: number][] | null })[];
};

/**
 * Reads the rows that the walk has not read, or that changed since, in one batch. A batch is one transaction, so all
 * tables are consistent. `read` has the last rowid of each table that was walked.
 */
export async function settle(
  db: Database,
  { jobId, tables, read, erased }: { jobId: number; tables: StoredTable[]; erased: number; read: Map<string, number> },
): Promise<SettledWalk> {
  const { $client: client } = db;
  const walked = tables.filter(({ name }) => read.has(name));
  const [facts, definitions, stored, ...rest] = await client.batch<unknown>([
    client.prepare(FACTS).bind(jobId),
    client.prepare(SCHEMA),
    client.prepare(STORED_TABLES),
    ...tables.map((table) => client.prepare(selectChanged(table)).bind(read.get(table.name) ?? FIRST)),
    ...walked.map((table) => client.prepare(selectPresent(table))),
  ]);
  const [fact] = rowsOf<Fact>(facts);
  if (!fact) throw new Error("The database did not answer with a row");
  const found = rowsOf<{ name: string; columns: string }>(stored).map(parseTable);
  const present = new Map(
    walked.map(({ name }, n) => [name, rowsOf<{ first: number; last: number }>(rest[tables.length + n])]),
  );
  return {
    moment: Math.floor(fact.moment),
    isOutdated:
      (walked.length > 0 && (fact.erased !== erased || !fact.isRecorded)) ||
      JSON.stringify(found) !== JSON.stringify(tables),
    migrations: await appliedMigrations(db),
    schema: await sha256Of(JSON.stringify(rowsOf(definitions))),
    sequences: JSON.parse(fact.sequences),
    tables: tables.map((table, n) => ({
      ...table,
      lines: linesOf(rowsOf(rest[n])).map(({ line }) => line),
      present: present.get(table.name)?.map(({ first, last }) => [first, last]) ?? null,
    })),
  };
}

/** The statement after which changes are recorded for a backup. */
export const recordChanges = (jobId: number): SQL =>
  sql`INSERT INTO backup_changes (table_name, changed_row) VALUES ('jobs', ${jobId}) ON CONFLICT DO NOTHING`;

/** The statement that ends the recording. */
export const forgetChanges = (): SQL => sql`DELETE FROM backup_changes`;

/** The rows of a statement. A batch has one type for the rows of all its statements. */
const rowsOf = <Row>(result: D1Result | undefined) => (result?.results ?? []) as Row[];

type Fact = { moment: number; erased: number; isRecorded: number; sequences: string };

const FACTS = `
  SELECT unixepoch('subsec') * 1000 AS moment,
    (${ERASED}) AS erased,
    EXISTS (SELECT 1 FROM backup_changes WHERE table_name = 'jobs' AND changed_row = ?1) AS "isRecorded",
    (SELECT json_group_object(name, seq) FROM sqlite_sequence WHERE name <> 'd1_migrations') AS sequences`;

const sha256Of = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), true);
