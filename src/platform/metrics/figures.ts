import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import { type Database, DELETED_AT_ONCE } from "../db/client.ts";
import { addCounts, type Counts, counters, noCounts, quantile } from "./counts.ts";
import { requestCounts } from "./tables.ts";

/** Requests of a span. `errorRate` is the share answered with 5xx, from 0 to 1. */
export type RequestFigures = {
  requests: number;
  refused: number;
  clientErrors: number;
  serverErrors: number;
  errorRate: number;
  /** Milliseconds that half of the requests, and 95 %, did not exceed. Null without requests. */
  p50: number | null;
  p95: number | null;
};

type VersionFigures = RequestFigures & { version: string; firstAt: number; lastAt: number };

/**
 * Figures of the requests in a span of whole minutes within the last week, in total and by version of the Worker. Reads a row
 * for each minute and version.
 */
export async function requestFigures(
  db: Database,
  { from, to }: { from: number; to: number },
): Promise<RequestFigures & { versions: VersionFigures[] }> {
  const rows = await db
    .select({ version: requestCounts.version, firstAt: sql<number>`min(start)`, ...summed })
    .from(requestCounts)
    .where(and(ofMinutes, gte(requestCounts.start, from), lt(requestCounts.start, to)))
    .groupBy(requestCounts.version)
    .orderBy(sql`min(start)`);
  const total = noCounts();
  for (const row of rows) addCounts(total, row);
  return {
    ...figuresOf(total),
    versions: rows.map((row) => ({
      ...figuresOf(row),
      version: row.version,
      firstAt: row.firstAt,
      lastAt: row.lastAt,
    })),
  };
}

const ofMinutes = and(eq(requestCounts.period, "minute"), eq(requestCounts.caller, ""));

/** The sums of all counters, for a list with GROUP BY. */
const summed = {
  ...(Object.fromEntries(counters.map((name) => [name, sql<number>`sum(${requestCounts[name]})`])) as Record<
    (typeof counters)[number],
    SQL<number>
  >),
  lastAt: sql<number>`max(last_at)`,
};

const figuresOf = (counts: Counts): RequestFigures => ({
  requests: counts.requests,
  refused: counts.refused,
  clientErrors: counts.clientErrors,
  serverErrors: counts.serverErrors,
  errorRate: counts.requests === 0 ? 0 : counts.serverErrors / counts.requests,
  p50: quantile(counts, 0.5),
  p95: quantile(counts, 0.95),
});

/** Requests of a key in a day, in UTC. */
export type KeyDay = RequestFigures & { at: number };

/** Requests of a key to a route in 90 days. */
export type KeyRoute = RequestFigures & { route: string; lastAt: number };

export type KeyHistory = { days: KeyDay[]; routes: KeyRoute[] };

/** Requests of a key in the last 90 days, by day from the oldest, and by route from the busiest. Reads its rows of those days. */
export async function historyOfKey(db: Database, id: number, now: number): Promise<KeyHistory> {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const first = today - (KEPT_DAYS.day - 1) * DAY_MS;
  const ofKey = and(
    eq(requestCounts.period, "day"),
    eq(requestCounts.caller, `api_key:${id}`),
    gte(requestCounts.start, first),
  );
  const [days, routes] = await db.batch([
    db
      .select({ start: requestCounts.start, ...summed })
      .from(requestCounts)
      .where(ofKey)
      .groupBy(requestCounts.start),
    db
      .select({ route: requestCounts.route, ...summed })
      .from(requestCounts)
      .where(ofKey)
      .groupBy(requestCounts.route)
      .orderBy(desc(summed.requests), requestCounts.route),
  ]);
  const found = new Map(days.map((row) => [row.start, row]));
  return {
    days: Array.from({ length: KEPT_DAYS.day }, (_, index) => {
      const at = first + index * DAY_MS;
      return { at, ...figuresOf(found.get(at) ?? noCounts()) };
    }),
    routes: routes.map((row) => ({ route: row.route, lastAt: row.lastAt, ...figuresOf(row) })),
  };
}

/** Requests of one kind of caller to a route since the shop was created. */
export type RequestTotal = Counts & { caller: string; route: string };

/** All totals, in the order of the routes. There are as many as routes of the code, for each kind of caller. */
export const totalsByRoute = (db: Database): Promise<RequestTotal[]> =>
  db
    .select()
    .from(requestCounts)
    .where(eq(requestCounts.period, "total"))
    .orderBy(requestCounts.route, requestCounts.caller);

export const KEPT_DAYS = { minute: 7, day: 90 };

/** Deletes minutes more than a week old, and days more than 90 days old. */
export async function deleteOldRequestCounts(db: Database, now: number): Promise<void> {
  for (const [period, days] of Object.entries(KEPT_DAYS)) {
    await db.run(sql`DELETE FROM request_counts WHERE rowid IN (
      SELECT rowid FROM request_counts WHERE period = ${period} AND start < ${now - days * DAY_MS} LIMIT ${DELETED_AT_ONCE})`);
  }
}
