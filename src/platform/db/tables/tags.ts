import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id } from "./columns.ts";
import { users } from "./users.ts";

/** A tag as first typed. Other spellings of its folded name mean the same tag. */
export const tags = sqliteTable("tags", {
  id: id(),
  name: text().notNull().unique(),
  foldedName: text("folded_name").notNull().unique(),
  /** Number of customers with the tag. Written only by triggers. */
  customers: integer().notNull().default(0),
});

/** The customers of each tag, for lists of them. Written only by triggers, from `users.tags`. Staff have none. */
export const customerTags = sqliteTable(
  "customer_tags",
  {
    tagId: integer("tag_id")
      .notNull()
      .references(() => tags.id),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.tagId, table.userId] }), index("customer_tags_by_user").on(table.userId)],
);
