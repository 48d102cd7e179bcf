import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, oneOf, updatedAt } from "./columns.ts";
import { products } from "./products.ts";

export const fileAccess = ["public", "authenticated", "package"] as const;

export const files = sqliteTable(
  "files",
  {
    id: id(),
    name: text().notNull(),
    description: text().notNull().default(""),
    fileName: text("file_name").notNull(),
    mimeType: text("mime_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Hex; also the strong ETag of the bytes. */
    sha256: text().notNull(),
    version: integer().notNull().default(1),
    access: text({ enum: fileAccess }).notNull(),
    r2Key: text("r2_key").notNull(),
    publishedAt: integer("published_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [oneOf("file_access", "access", fileAccess), index("files_newest").on(table.createdAt, table.id)],
);

export const productFiles = sqliteTable(
  "product_files",
  {
    productId: integer("product_id")
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    fileId: integer("file_id")
      .notNull()
      .references(() => files.id),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.fileId] }),
    index("product_files_by_file").on(table.fileId),
  ],
);
