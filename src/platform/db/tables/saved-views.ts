import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "./columns.ts";
import { users } from "./users.ts";

/** The lists that a view can be of. */
export const viewedLists = ["orders", "products", "users", "files"] as const;
export type ViewedList = (typeof viewedLists)[number];

/** How somebody narrows and orders a list, under a name. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    list: text({ enum: viewedLists }).notNull(),
    name: text().notNull(),
    /** The list's query parameters, as they are sent. */
    filters: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("saved_views_by_name").on(table.userId, table.list, table.name)],
);
