import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
