import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

const counter = (name: string) => integer(name).notNull().default(0);

/**
 * Requests added up: by minute and version for a week, by day, caller and route for 90 days, and by kind of caller and route
 * since the beginning. Isolates add to the rows every few seconds (metrics/flush.ts).
 */
export const requestCounts = sqliteTable(
  "request_counts",
  {
    period: text({ enum: ["minute", "day", "total"] }).notNull(),
    /** "api_key:3", "user" or "anonymous"; in a total "api_key". Empty in a minute. */
    caller: text().notNull(),
    /** Start of the minute, or of the day in UTC. 0 in a total. */
    start: integer().notNull(),
    /** Method and pattern: "GET /api/v1/user/products/{id}". Empty in a minute. */
    route: text().notNull(),
    /** Version of the Worker in a minute, otherwise empty. */
    version: text().notNull(),
    requests: counter("requests"),
    /** Answers with 3xx. */
    redirects: counter("redirects"),
    /** Answers with 429. */
    refused: counter("refused"),
    /** Other answers with 4xx. */
    clientErrors: counter("client_errors"),
    /** Answers with 5xx. */
    serverErrors: counter("server_errors"),
    /** Sum of the durations in milliseconds. */
    duration: counter("duration"),
    lastAt: integer("last_at").notNull(),
    // How many requests took up to so many milliseconds, and longer than the bucket before.
    to5: counter("to_5"),
    to10: counter("to_10"),
    to25: counter("to_25"),
    to50: counter("to_50"),
    to100: counter("to_100"),
    to250: counter("to_250"),
    to500: counter("to_500"),
    to1000: counter("to_1000"),
    to2500: counter("to_2500"),
    to5000: counter("to_5000"),
    over5000: counter("over_5000"),
  },
  (table) => [
    primaryKey({ columns: [table.period, table.caller, table.start, table.route, table.version] }),
    index("request_counts_by_start").on(table.period, table.start),
  ],
);
