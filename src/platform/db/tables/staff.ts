import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";

/** Money that staff moved, in the batch that moved it. */
export const staffSpending = sqliteTable(
  "staff_spending",
  {
    id: id(),
    /** "user:7". */
    actor: text().notNull(),
    /** Minor units, whichever way they went. */
    amount: integer().notNull(),
    /** What they may move in 24 hours, as of that moment; null for administrators. */
    dayLimit: integer("day_limit"),
    sessionId: text("session_id"),
    /** When a password or code was last shown in the session. */
    authenticatedAt: integer("authenticated_at"),
    /** What the session may move since then; null while the password or code was shown lately. */
    sessionLimit: integer("session_limit"),
    createdAt: createdAt(),
  },
  (table) => [
    check("spending_not_negative", sql.raw(`"amount" >= 0`)),
    index("staff_spending_by_actor").on(table.actor, table.createdAt),
    index("staff_spending_by_session").on(table.sessionId, table.createdAt),
  ],
);
