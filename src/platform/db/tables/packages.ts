import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { createdAt, rowId } from "./columns.ts";
import { files } from "./files.ts";
import { orderItems } from "./order-items.ts";
import { orders } from "./orders.ts";
import { users } from "./users.ts";

/** The right to download files: one row per order line, or a grant by an administrator. */
export const packages = sqliteTable(
  "packages",
  {
    id: rowId(),
    userId: integer("user_id").references(() => users.id),
    orderId: integer("order_id").references(() => orders.id),
    orderItemId: integer("order_item_id").references(() => orderItems.id),
    /** Units of the order line that were not refunded. Null for a grant. */
    units: integer(),
    name: text().notNull(),
    /** Downloads for all units together. Null if unlimited. */
    downloadLimit: integer("download_limit"),
    downloadsUsed: integer("downloads_used").notNull().default(0),
    startsAt: integer("starts_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** Time of the last edit. 0 if never edited. */
    updatedAt: integer("updated_at").notNull().default(0),
  },
  (table) => [
    check("downloads_within_limit", sql.raw(`"download_limit" IS NULL OR "downloads_used" <= "download_limit"`)),
    unique("package_once_per_line").on(table.orderItemId),
    index("packages_by_user").on(table.userId),
    index("packages_by_order").on(table.orderId),
  ],
);

export const packageFiles = sqliteTable(
  "package_files",
  {
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    fileId: integer("file_id")
      .notNull()
      .references(() => files.id),
    // Copied from the package by triggers, so that a buyer's best package for a file is found in one lookup.
    userId: integer("user_id"),
    /** 0 unlimited, 1 has downloads left, 2 has none, 3 revoked. */
    standing: integer(),
    /** Later than any moment if it never expires. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.packageId, table.fileId] }),
    index("package_files_by_file").on(table.fileId),
    index("package_files_by_standing").on(table.userId, table.fileId, table.standing, table.expiresAt, table.packageId),
  ],
);

/** A counted download. A link counts once, however often it is resumed. */
export const downloads = sqliteTable(
  "downloads",
  {
    /** The link's `jti`, or a new id for a file sent as data. */
    id: text().primaryKey(),
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    fileId: integer("file_id")
      .notNull()
      .references(() => files.id),
    /** Bytes that the link may still serve. Null if unlimited. */
    bytesLeft: integer("bytes_left"),
    createdAt: createdAt(),
  },
  (table) => [
    check("download_serves_its_bytes", sql.raw(`"bytes_left" >= 0`)),
    index("downloads_by_package").on(table.packageId),
    index("downloads_by_file").on(table.fileId),
  ],
);
