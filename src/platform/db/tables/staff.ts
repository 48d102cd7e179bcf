import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";

/** Money that staff moved who may move so much in 24 hours, in the batch that moved it. */
export const staffSpending = sqliteTable(
  "staff_spending",
  {
    id: id(),
    /** "user:7". */
    actor: text().notNull(),
    /** Minor units, whichever way they went. */
    amount: integer().notNull(),
    /** The limit of that moment. */
    dayLimit: integer("day_limit").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check("spending_not_negative", sql.raw(`"amount" >= 0`)),
    index("staff_spending_by_actor").on(table.actor, table.createdAt),
  ],
);
