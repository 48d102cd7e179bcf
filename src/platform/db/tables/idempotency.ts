import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";

/** Requests that came with an Idempotency-Key and took effect, for a day. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** "user:7", "api_key:3", or "anonymous:" and the e-mail address that signs up. */
    caller: text().notNull(),
    key: text().notNull(),
    /** A keyed hash of what was asked for. */
    fingerprint: text().notNull(),
    /** The row that was answered with, as JSON. */
    answer: text().notNull(),
    /** What the answer shows and no table holds, encrypted: see auth/seal.ts. */
    sealed: text(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
);

/** Bytes that a caller added to the database in a day without paying. */
export const storedBytes = sqliteTable(
  "stored_bytes",
  {
    /** "user:7" or "api_key:3", which stands for all guests of the key. */
    owner: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    bytes: integer().notNull(),
    /** The limit when the row was written last. */
    dayLimit: integer("day_limit").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.owner] }),
    check("stored_bytes_within_limit", sql.raw(`"bytes" <= "day_limit"`)),
  ],
);
