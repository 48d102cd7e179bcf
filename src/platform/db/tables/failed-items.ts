import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";

/** The queues of the schedule, by what they do with each item. */
export const queueNames = [
  "expire_orders",
  "send_refunds",
  "close_payments",
  "erase_accounts",
  "write_emails",
  "send_emails",
  "delete_emails",
  "add_up_sales",
  "restart_jobs",
  "end_jobs",
  "nudge_webhooks",
  "publish_expiring_keys",
  "seal_second_factors",
  "seal_webhook_secrets",
  "delete_objects",
  "delete_uploads",
  "delete_events",
  "end_sessions",
  "delete_refresh_tokens",
  "delete_sessions",
  "delete_links",
  "delete_login_challenges",
  "delete_guest_carts",
  "delete_idempotency_keys",
  "clear_audit_addresses",
  "delete_job_changes",
  "delete_staff_spending",
] as const;
export type QueueName = (typeof queueNames)[number];

/** An item that fails so often is shown to administrators. */
export const SHOWN_ATTEMPTS = 3;

/** Items of queues that failed at their last attempt. The row goes once the item succeeds or has left its queue. */
export const failedItems = sqliteTable(
  "failed_items",
  {
    queue: text().$type<QueueName>().notNull(),
    /** The item's id in its own table. */
    item: text().notNull(),
    attempts: integer().notNull(),
    /** The error of the last attempt. */
    reason: text().notNull(),
    /** When the item failed first. */
    createdAt: createdAt(),
    failedAt: integer("failed_at").notNull(),
    /** The item is left alone until then. */
    nextAttemptAt: integer("next_attempt_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.queue, table.item] }),
    index("failed_items_by_next_attempt").on(table.nextAttemptAt),
  ],
);
