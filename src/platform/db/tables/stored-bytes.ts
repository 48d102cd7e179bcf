import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Bytes that a caller added to the database in a day without paying. */
export const storedBytes = sqliteTable(
  "stored_bytes",
  {
    /** "user:7" or "api_key:3", which stands for all guests of the key. */
    owner: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    bytes: integer().notNull(),
    /** The limit when the row was written last. */
    dayLimit: integer("day_limit").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.owner] }),
    check("stored_bytes_within_limit", sql.raw(`"bytes" <= "day_limit"`)),
  ],
);
