import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { paymentProviders } from "../../../domain/payment-methods.ts";
import { createdAt, id } from "./columns.ts";
import { orders } from "./orders.ts";

/** Handled events of payment providers: a webhook that is delivered again changes nothing. */
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

/** After so many failures a refund is a person's to send. */
export const MAX_REFUND_FAILURES = 3;

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
    /** Where the money came in another currency than the order's. */
    currency: text(),
    /** The provider's name for the refund; null until it has accepted it. */
    reference: text(),
    /** How often the provider accepted it and could not carry it out. */
    failures: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    check("refund_positive", sql.raw(`"amount" > 0`)),
    index("refunds_to_send")
      .on(table.id)
      .where(sql.raw(`reference IS NULL AND failures < ${MAX_REFUND_FAILURES}`)),
  ],
);

/** Payment pages that the provider still has to close. */
export const paymentsToClose = sqliteTable(
  "payments_to_close",
  {
    provider: text({ enum: paymentProviders }).notNull(),
    /** The provider's name for the payment that was opened. */
    reference: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reference] })],
);
