import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { rowId } from "./columns.ts";

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
