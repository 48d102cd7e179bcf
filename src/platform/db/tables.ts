import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, rowId } from "./columns.ts";

/** Changes by staff and API keys. Append-only, except that erased personal data is removed. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: rowId(),
    at: integer().notNull(),
    /** "user:7", "api_key:3", "anonymous", or "system" for commands of the deployment. */
    actor: text().notNull(),
    /** IP address of the request. Null for commands. */
    address: text(),
    /** "product.update". */
    action: text().notNull(),
    /** Noun and id of the changed row. */
    subject: text().notNull(),
    subjectId: integer("subject_id").notNull(),
    /** The changed fields by their API names. Null before a creation and after a deletion. */
    before: text({ mode: "json" }).$type<Record<string, unknown>>(),
    after: text({ mode: "json" }).$type<Record<string, unknown>>(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    index("audit_log_by_subject").on(table.subject, table.subjectId, table.id),
    index("audit_log_by_actor").on(table.actor, table.id),
    // Addresses of API keys belong to servers and are kept.
    index("audit_log_with_address").on(table.at).where(sql.raw("address IS NOT NULL AND actor NOT LIKE 'api_key:%'")),
  ],
);

/** Holds no rows: a batch inserts whether its precondition still holds, and is refused if it does not. */
export const preconditions = sqliteTable("preconditions", { holds: integer().notNull() });

/** Requests with an Idempotency-Key that took effect, stored for a day. */
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
    /** "user:7", "api_key:3" for all guests of the key, "address:192.0.2.1", or "agent:agent.example" of a proven agent. */
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
