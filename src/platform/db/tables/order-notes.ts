import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { orders } from "./orders.ts";

/** What staff tell each other of an order. Its buyer never reads them, and they go with the buyer's personal data. */
export const orderNotes = sqliteTable(
  "order_notes",
  {
    id: id(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    text: text().notNull(),
    /** "user:7" or "api_key:3". */
    author: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("order_notes_by_order").on(table.orderId, table.id)],
);
