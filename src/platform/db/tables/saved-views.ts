import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "./columns.ts";
import { users } from "./users.ts";

/** Lists that can have saved views. */
export const viewedLists = ["orders", "products", "users", "files"] as const;
export type ViewedList = (typeof viewedLists)[number];

/** A named set of a user's filters and sort order for a list. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    list: text({ enum: viewedLists }).notNull(),
    name: text().notNull(),
    /** The list's query parameters. */
    filters: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("saved_views_by_name").on(table.userId, table.list, table.name)],
);
