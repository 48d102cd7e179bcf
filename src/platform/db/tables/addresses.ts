import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, updatedAt } from "./columns.ts";
import { users } from "./users.ts";

/** The address book of an account. Orders keep copies of its addresses. */
export const addresses = sqliteTable(
  "addresses",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    company: text(),
    address: text().notNull(),
    address2: text(),
    city: text().notNull(),
    region: text(),
    zip: text(),
    /** ISO 3166-1, two letters. */
    country: text(),
    phone: text(),
    /** The default address; at most one per account. */
    isDefault: flag("is_default").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("addresses_by_user").on(table.userId, table.id),
    uniqueIndex("addresses_one_default").on(table.userId).where(sql.raw("is_default = 1")),
  ],
);

export type AddressRow = typeof addresses.$inferSelect;
