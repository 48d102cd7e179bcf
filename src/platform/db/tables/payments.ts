import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { paymentProviders } from "../../../domain/payment-methods.ts";
import { createdAt, id } from "./columns.ts";
import { orders } from "./orders.ts";

/** Processed events of payment providers, so that a repeated webhook has no effect. */
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

/** Failures after which a refund has to be sent manually. */
export const MAX_REFUND_FAILURES = 3;

/** Refunds through a provider: decided in the order's batch, sent afterwards, and retried until accepted. */
export const refunds = sqliteTable(
  "refunds",
  {
    id: id(),
    orderId: integer("order_id")
      .notNull()
      .references(() => orders.id),
    /** The provider's id of the refunded payment. */
    payment: text().notNull(),
    /** In minor units. */
    amount: integer().notNull(),
    /** Currency of the money, if it differs from the order's. */
    currency: text(),
    /** The provider's id of the refund. Null until accepted. */
    reference: text(),
    /** Number of times the provider accepted the refund but could not complete it. */
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

/** Payment pages that still have to be closed at the provider. */
export const paymentsToClose = sqliteTable(
  "payments_to_close",
  {
    provider: text({ enum: paymentProviders }).notNull(),
    /** The provider's id of the opened payment. */
    reference: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reference] })],
);
