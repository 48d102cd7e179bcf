import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "./columns.ts";
import { orders } from "./orders.ts";
import { users } from "./users.ts";

export const draftOrderStatuses = ["open", "sent", "placed"] as const;

/** Orders that staff prepare and send to a buyer. A draft holds no stock. */
export const draftOrders = sqliteTable(
  "draft_orders",
  {
    id: id(),
    /** The reference of the order that the draft becomes, so that a draft becomes one order at most. */
    reference: text().notNull().unique(),
    status: text({ enum: draftOrderStatuses }).notNull(),
    /** Account that the draft is for. Null for a guest. */
    userId: integer("user_id").references(() => users.id),
    /** The order in the shape of a request. */
    content: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    sentAt: integer("sent_at"),
    orderId: integer("order_id").references(() => orders.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("draft_orders_by_user").on(table.userId),
    index("draft_orders_by_status").on(table.status, table.id),
  ],
);
