import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id } from "./columns.ts";
import { orders } from "./orders.ts";
import { users } from "./users.ts";

export const emailStates = ["waiting", "sending", "sent", "failed"] as const;

/** The outbox: an e-mail is written by the batch of its cause, and sent afterwards until it is accepted. */
export const emails = sqliteTable(
  "emails",
  {
    id: id(),
    /** What a sender knows it by, so that one that is sent again after a lost answer is one e-mail. */
    key: text().notNull().unique(),
    /** A name of email/templates. */
    template: text().notNull(),
    /** Whose account it is about; it goes with the account. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The order that it is about, and shows as that is when it is sent. */
    orderId: integer("order_id").references(() => orders.id),
    /** Null where there is nobody to write to: such a row is deleted instead of sent. */
    recipient: text(),
    params: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The token of its link, encrypted: see auth/seal.ts. */
    token: text(),
    /** When its link ends: after that it is not sent any more. */
    expiresAt: integer("expires_at"),
    state: text({ enum: emailStates }).notNull().default("waiting"),
    /** Why the last attempt failed. */
    reason: text(),
    attempts: integer().notNull().default(0),
    /** When it is tried next, or, while it is being sent, when the attempt counts as lost; null once it is settled. */
    dueAt: integer("due_at"),
    sentAt: integer("sent_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("emails_due").on(table.dueAt).where(sql.raw(`due_at IS NOT NULL`)),
    index("emails_by_user").on(table.userId),
    index("emails_by_state").on(table.state, table.id),
    index("emails_by_order").on(table.orderId).where(sql.raw("order_id IS NOT NULL")),
    index("emails_of_orders").on(table.recipient, table.createdAt).where(sql.raw("order_id IS NOT NULL")),
  ],
);

/** Which e-mails are sent at all, by the name of their template: without a row one is. */
export const emailSwitches = sqliteTable("email_switches", {
  id: id(),
  template: text().notNull().unique(),
  off: flag("off").notNull(),
});
