import { fillPlaceholders, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { Next } from "hono";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { fenced, readCurrency } from "./currency.ts";
import { type LimitedDatabase, limited } from "./d1-limits.ts";
import type { BuiltStatement } from "./statements.ts";

/** Rows deleted per statement. */
export const DELETED_AT_ONCE = 1000;

export type Database = ReturnType<typeof connect>;

/** Sessions support every method that Drizzle uses. A database that is limited already keeps its count of queries. */
const limitedOf = (database: D1Database | D1DatabaseSession): LimitedDatabase =>
  "queries" in database ? (database as LimitedDatabase) : limited(database as D1Database);

/** For work without money. */
export const connect = (database: D1Database | D1DatabaseSession) => drizzle(limitedOf(database));

/** Reads the shop's currency and connects. All work that can read or write money begins with it. */
export async function openDatabase(database: D1Database | D1DatabaseSession): Promise<Database> {
  const currency = await readCurrency(database);
  const opened = limitedOf(database);
  return drizzle(currency ? fenced(opened, currency) : opened);
}

/** True if the invocation may begin more work. */
export const allowsMore = ({ $client }: Database): boolean => $client.queries.allowsMore();

/**
 * An SQL statement for a batch. Drizzle's batch for D1 binds a query's parameters to its `stmt`, which raw ones lack
 * (drizzle-team/drizzle-orm#2277), so this adds one, and avoids building the SQL twice.
 */
export function statement(db: Database, query: SQL) {
  const raw = db.run(query);
  const written = raw.getQuery();
  return Object.assign(raw, { stmt: db.$client.prepare(written.sql), getQuery: () => written });
}

/** Runs a statement with the values of its placeholders. */
export const runBuilt = <Row>(
  db: Database,
  { sql, params }: BuiltStatement,
  values: Record<string, unknown>,
): Promise<D1Result<Row>> =>
  db.$client
    .prepare(sql)
    .bind(...fillPlaceholders(params, values))
    .run();

/** An SQL statement to pass on. */
export type Statement = SQL;

type ReadQuery<Row> = BatchItem<"sqlite"> & PromiseLike<Row[]>;

/** Runs the writes, then the read, in one batch and round trip: all or nothing. */
export async function writeThenRead<Row>(db: Database, writes: readonly SQL[], read: ReadQuery<Row>): Promise<Row[]> {
  const [first = read, ...more] = writes.map((write) => statement(db, write));
  const results: unknown[] = await db.batch([first, ...more, read]);
  // Drizzle types results by their position in a tuple, which a list of writes lacks. The last one is the read's.
  return results.at(-1) as Row[];
}

/** Runs the writes as one batch. */
export async function runAll(db: Database, writes: readonly SQL[]): Promise<void> {
  const [first, ...more] = writes.map((write) => statement(db, write));
  if (first) await db.batch([first, ...more]);
}

/** Runs the writes between two reads, in one batch: the state before and after. */
export async function readAround<Before, After>(
  db: Database,
  before: ReadQuery<Before>,
  writes: readonly SQL[],
  after: ReadQuery<After>,
): Promise<[Before[], After[]]> {
  const results: unknown[] = await db.batch([before, ...writes.map((write) => statement(db, write)), after]);
  // Typed by position too: the first and last results are the reads'.
  return [results[0] as Before[], results.at(-1) as After[]];
}

/** The row of a statement that always returns one. */
export function requireRow<Row>(row: Row | null | undefined): Row {
  if (row === undefined || row === null) throw new Error("The database did not answer with a row");
  return row;
}

export const requireFirst = <Row>([row]: Row[]): Row => requireRow(row);

/** The position of a caller's last write in D1's history. Sending it back makes the next read at least as recent. */
export const BOOKMARK_HEADER = "x-d1-bookmark";

/** The format of a D1 bookmark. */
export const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The caller's bookmark, if one was sent. */
function bookmarkOf(headers: Headers): string | undefined {
  const bookmark = headers.get(BOOKMARK_HEADER) || undefined;
  if (bookmark === undefined || BOOKMARK.test(bookmark)) return bookmark;
  throw badRequest(
    fieldError(BOOKMARK_HEADER, "invalid_format", "is not a bookmark. Send one from an earlier response"),
  );
}

/** The part of a Context that `database` needs, independent of variables that gates add. */
type DatabaseContext = { env: Env; req: { raw: Request }; res: Response; set: (name: "db", db: Database) => void };

/**
 * Gives the request its database: a replica at least as recent as the caller's bookmark, or the primary without one. The
 * response carries the new bookmark.
 */
export async function database(c: DatabaseContext, next: Next): Promise<void> {
  const session = c.env.DB.withSession(bookmarkOf(c.req.raw.headers) ?? "first-primary");
  c.set("db", await openDatabase(session));
  await next();
  const bookmark = session.getBookmark();
  if (bookmark !== null) c.res.headers.set(BOOKMARK_HEADER, bookmark);
}

/** File names of the applied migrations, oldest first. Empty in a database that was not built by migrations. */
export async function appliedMigrations({ $client: client }: Database): Promise<string[]> {
  const table = await client.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!table) return [];
  const { results } = await client.prepare("SELECT name FROM d1_migrations ORDER BY id").all<{ name: string }>();
  return results.map(({ name }) => name);
}
