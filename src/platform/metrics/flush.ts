import { getTableColumns, sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import { connect } from "../db/client.ts";
import { insertRows } from "../db/statements.ts";
import { addCounts, type CallerCounts, counters, noCounts, type UnwrittenCounts } from "./counts.ts";
import { requestCounts } from "./tables.ts";

type Row = typeof requestCounts.$inferSelect;

/**
 * Adds an isolate's counts to the database in one statement, and keeps them if that fails. If D1 runs the statement
 * without answering, the counts are written twice.
 */
export async function flushCounts(env: Env, unwritten: UnwrittenCounts): Promise<void> {
  const taken = unwritten.take();
  if (taken.length === 0) return;
  try {
    const rows = insertRows(requestCounts, rowsOf(taken, env.VERSION.id));
    const key = [
      requestCounts.period,
      requestCounts.caller,
      requestCounts.start,
      requestCounts.route,
      requestCounts.version,
    ];
    await connect(env.DB).run(sql`${rows} WHERE TRUE
      ON CONFLICT (${sql.join(
        key.map(({ name }) => sql.identifier(name)),
        sql`, `,
      )}) DO UPDATE SET ${added()},
        last_at = max(last_at, excluded.last_at)`);
  } catch (error) {
    unwritten.putBack(taken);
    throw error;
  }
}

/** `SET` of each counter to the sum of the row's and the new one. */
function added() {
  const columns = getTableColumns(requestCounts);
  const names = counters.map((counter) => sql.raw(columns[counter].name));
  return sql.join(
    names.map((name) => sql`${name} = ${name} + excluded.${name}`),
    sql`, `,
  );
}

/** The rows that counts are added to: a minute of the version, a day of the caller's route, and a total of its kind. */
function rowsOf(taken: readonly CallerCounts[], version: string): Row[] {
  const rows = new Map<string, Row>();
  for (const counts of taken) {
    const { minute, caller, route } = counts;
    const day = Math.floor(minute / DAY_MS) * DAY_MS;
    const [kind = caller] = caller.split(":");
    for (const key of [
      { period: "minute", caller: "", start: minute, route: "", version },
      { period: "day", caller, start: day, route, version: "" },
      { period: "total", caller: kind, start: 0, route, version: "" },
    ] as const) {
      const name = Object.values(key).join(" ");
      const row = rows.get(name) ?? { ...key, ...noCounts() };
      addCounts(row, counts);
      rows.set(name, row);
    }
  }
  return [...rows.values()];
}
