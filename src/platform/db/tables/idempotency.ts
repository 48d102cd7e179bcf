import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";

/** Requests with an Idempotency-Key that took effect, kept for a day. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** "user:7", "api_key:3", or "anonymous:" and the e-mail address of a sign-up. */
    caller: text().notNull(),
    key: text().notNull(),
    /** Keyed hash of the request. */
    fingerprint: text().notNull(),
    /** The row in the response, as JSON. */
    answer: text().notNull(),
    /** Secrets of the response that no table stores, encrypted; see auth/seal.ts. */
    sealed: text(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
);

/** Bytes that a caller added to the database per day without paying. */
export const storedBytes = sqliteTable(
  "stored_bytes",
  {
    /** "user:7", or "api_key:3" for all guests of the key. */
    owner: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    bytes: integer().notNull(),
    /** The limit at the last write. */
    dayLimit: integer("day_limit").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.owner] }),
    check("stored_bytes_within_limit", sql.raw(`"bytes" <= "day_limit"`)),
  ],
);
