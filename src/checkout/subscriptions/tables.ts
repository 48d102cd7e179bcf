import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, foreignId, id, updatedAt } from "../../platform/db/columns.ts";
import { orders } from "../orders/tables.ts";

/** Subscriptions at the payment provider, each begun by the paid order of a renewing product. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: id(),
    /** The provider's id. */
    reference: text().notNull().unique(),
    /** The provider's id of the buyer. */
    customer: text().notNull(),
    /** The order that began it. Renewals have orders of their own. */
    orderId: foreignId("order_id", () => orders.id).unique(),
    /** True if the last renewal was not paid yet. */
    pastDue: flag("past_due").notNull().default(false),
    /** Time at which it ends unless it is resumed, or ended. Null if it renews. */
    cancelsAt: integer("cancels_at"),
    /** Time at which it was cancelled, now or for the end of the period. Null if it renews. */
    cancelledAt: integer("cancelled_at"),
    endedAt: integer("ended_at"),
    currentPeriodEnd: integer("current_period_end").notNull(),
    /** End of the period before which the buyer was reminded that it renews. */
    remindedFor: integer("reminded_for"),
    /** Time of the provider's state, so that an older state does not replace a newer one. */
    readAt: integer("read_at").notNull(),
    /** Time from which the schedule reads it again. Null once it has ended. */
    checkAt: integer("check_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("subscriptions_to_check").on(table.checkAt).where(sql.raw("check_at IS NOT NULL"))],
);

/** Paid invoices of subscriptions, each with its order. */
export const subscriptionPeriods = sqliteTable(
  "subscription_periods",
  {
    /** The provider's id of the invoice. */
    invoice: text().primaryKey(),
    subscriptionId: foreignId("subscription_id", () => subscriptions.id),
    orderId: foreignId("order_id", () => orders.id).unique(),
    /** End of the paid period with its grace period. */
    accessUntil: integer("access_until").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("subscription_periods_by_subscription").on(table.subscriptionId)],
);
