import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { rowId } from "./columns.ts";

/** What staff and API keys wrote: rows are only ever added, and lose personal data that is erased. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: rowId(),
    at: integer().notNull(),
    /** "user:7", "api_key:3", "anonymous", or "system" for commands of the deployment. */
    actor: text().notNull(),
    /** The IP address that the request came from; none of a command's. */
    address: text(),
    /** "product.update". */
    action: text().notNull(),
    /** The noun of the row that was written, and its id. */
    subject: text().notNull(),
    subjectId: integer("subject_id").notNull(),
    /** The fields that the write changed, as the API names them: null before a creation and after a deletion. */
    before: text({ mode: "json" }).$type<Record<string, unknown>>(),
    after: text({ mode: "json" }).$type<Record<string, unknown>>(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    index("audit_log_by_subject").on(table.subject, table.subjectId, table.id),
    index("audit_log_by_actor").on(table.actor, table.id),
    // The address of an API key is that of a server.
    index("audit_log_with_address").on(table.at).where(sql.raw("address IS NOT NULL AND actor NOT LIKE 'api_key:%'")),
  ],
);

/** Takes no rows: a batch inserts whether what it was decided on still holds, and is refused when it does not. */
export const preconditions = sqliteTable("preconditions", { holds: integer().notNull() });
