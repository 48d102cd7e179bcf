import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { createdAt, rowId } from "./columns.ts";
import { files } from "./files.ts";
import { orderItems } from "./order-items.ts";
import { orders } from "./orders.ts";
import { users } from "./users.ts";

/** The right to download some files: one row per sold unit, or a grant by an administrator. */
export const packages = sqliteTable(
  "packages",
  {
    id: rowId(),
    userId: integer("user_id").references(() => users.id),
    orderId: integer("order_id").references(() => orders.id),
    orderItemId: integer("order_item_id").references(() => orderItems.id),
    /** 1 to the line's quantity. */
    unit: integer(),
    name: text().notNull(),
    downloadLimit: integer("download_limit"),
    downloadsUsed: integer("downloads_used").notNull().default(0),
    startsAt: integer("starts_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** When it was last edited: 0 if never. */
    updatedAt: integer("updated_at").notNull().default(0),
  },
  (table) => [
    check("downloads_within_limit", sql.raw(`"download_limit" IS NULL OR "downloads_used" <= "download_limit"`)),
    unique("package_once_per_unit").on(table.orderItemId, table.unit),
    index("packages_by_user").on(table.userId),
    index("packages_by_order").on(table.orderId),
  ],
);

/** The numbers from 1 to 100, for the triggers that write a package for each unit. */
export const packageUnits = sqliteTable("package_units", { unit: integer().primaryKey() });

export const packageFiles = sqliteTable(
  "package_files",
  {
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    fileId: integer("file_id")
      .notNull()
      .references(() => files.id),
  },
  (table) => [
    primaryKey({ columns: [table.packageId, table.fileId] }),
    index("package_files_by_file").on(table.fileId),
  ],
);

/** A row per download that was counted: a link counts once, however often it is resumed. */
export const downloads = sqliteTable(
  "downloads",
  {
    /** The link's `jti`, or a fresh one for a file that is answered as data. */
    id: text().primaryKey(),
    packageId: integer("package_id")
      .notNull()
      .references(() => packages.id),
    fileId: integer("file_id")
      .notNull()
      .references(() => files.id),
    /** What its link may still serve; null is without limit. */
    bytesLeft: integer("bytes_left"),
    createdAt: createdAt(),
  },
  (table) => [
    check("download_serves_its_bytes", sql.raw(`"bytes_left" >= 0`)),
    index("downloads_by_package").on(table.packageId),
    index("downloads_by_file").on(table.fileId),
  ],
);
