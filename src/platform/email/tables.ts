import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { orders } from "../../checkout/orders/tables.ts";
import { languages } from "../../domain/language.ts";
import { createdAt, flag, foreignId, id, updatedAt } from "../db/columns.ts";

export const emailStates = ["waiting", "sending", "sent", "failed"] as const;

/** The outbox. An e-mail is written by the batch that causes it, and sent afterwards until it is accepted. */
export const emails = sqliteTable(
  "emails",
  {
    id: id(),
    /** Identifies the e-mail at the sender, so that a repeated attempt does not send it twice. */
    key: text().notNull().unique(),
    /** Name of the template in templates.ts. */
    template: text().notNull(),
    /** Account that the e-mail is about. The e-mail is deleted with it. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Order that the e-mail is about. Shown as it is at sending time. */
    orderId: integer("order_id").references(() => orders.id),
    /** Null if there is no recipient: the row is deleted instead of sent. */
    recipient: text(),
    params: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Token of the link, encrypted; see auth/seal.ts. */
    token: text(),
    /** Expiry of the link. The e-mail is not sent after it. */
    expiresAt: integer("expires_at"),
    state: text({ enum: emailStates }).notNull().default("waiting"),
    /** Reason why the last attempt failed. */
    reason: text(),
    attempts: integer().notNull().default(0),
    /** Time of the next attempt, or, while sending, the time at which the attempt counts as lost. Null once settled. */
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

/** Templates that were switched off or on. E-mails without a row are sent. */
export const emailSwitches = sqliteTable("email_switches", {
  id: id(),
  template: text().notNull().unique(),
  off: flag("off").notNull(),
});

/** The shop's own texts of e-mails to buyers. Null for ours. */
export const emailTexts = sqliteTable(
  "email_texts",
  {
    id: id(),
    template: text().notNull(),
    language: text({ enum: languages }).notNull(),
    subject: text(),
    introduction: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("email_texts_by_template").on(table.template, table.language)],
);

/** Kinds of e-mails that each member of staff chooses. */
export const notificationKinds = ["new_order", "return_requested", "payment_failed", "low_stock"] as const;

/** When staff get a kind of e-mail: never, for each event, or once a day together. */
export const notificationModes = ["never", "each", "daily"] as const;

/** Choices of e-mails by members of staff. Without a row, low stock is e-mailed once a day and nothing else. */
export const staffNotifications = sqliteTable(
  "staff_notifications",
  {
    userId: foreignId("user_id", () => users.id),
    kind: text({ enum: notificationKinds }).notNull(),
    mode: text({ enum: notificationModes }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.userId] })],
);
