import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { orders } from "./orders.ts";

/** What a provider told us, once each: a webhook that comes again changes nothing. */
export const paymentEvents = sqliteTable(
  "payment_events",
  {
    provider: text().notNull(),
    eventId: text("event_id").notNull(),
    orderId: integer("order_id").references(() => orders.id),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.eventId] })],
);

/** Money that goes back by a provider: decided in the order's batch, sent after it, and again until it is through. */
export const refunds = sqliteTable(
  "refunds",
  {
    id: id(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    /** The provider's name for the payment that goes back. */
    payment: text().notNull(),
    /** Minor units. */
    amount: integer().notNull(),
    /** The provider's name for the refund; null until it has accepted it. */
    reference: text(),
    /** When it was last asked for in vain; 0 before that. */
    triedAt: integer("tried_at").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    check("refund_positive", sql.raw(`"amount" > 0`)),
    index("refunds_to_send").on(table.triedAt, table.id).where(sql.raw("reference IS NULL")),
  ],
);
