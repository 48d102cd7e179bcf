import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, foldedWordsColumn, id, isFolded, updatedAt } from "./columns.ts";
import { products } from "./products.ts";

export const fileAccess = ["public", "authenticated", "package"] as const;
export type FileAccess = (typeof fileAccess)[number];

/** What people say of a file when they upload it. */
export type FileFacts = {
  name: string;
  description: string;
  access: FileAccess;
  productIds: number[];
  published: boolean;
};

export const files = sqliteTable(
  "files",
  {
    id: id(),
    name: text().notNull(),
    description: text().notNull().default(""),
    fileName: text("file_name").notNull(),
    foldedWords: foldedWordsColumn(),
    mimeType: text("mime_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Hex; also the strong ETag of the bytes. */
    sha256: text().notNull(),
    version: integer().notNull().default(1),
    access: text({ enum: fileAccess }).notNull(),
    r2Key: text("r2_key").notNull().unique(),
    publishedAt: integer("published_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    isFolded("file_words_are_folded", `("name" || "file_name")`),
    index("files_newest").on(table.createdAt, table.id),
  ],
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

/** Objects that no file's row names, or not yet: written down before they are stored, so that none is lost track of. */
export const orphanedObjects = sqliteTable(
  "orphaned_objects",
  {
    r2Key: text("r2_key").primaryKey(),
    /** While the object is a multipart upload of R2's that may not have ended. */
    r2UploadId: text("r2_upload_id"),
    /** 0 once it is being deleted: then no file can claim it any more. */
    deleteAt: integer("delete_at").notNull(),
  },
  (table) => [index("orphaned_objects_by_end").on(table.deleteAt)],
);

/** The content that a file had before its newest version, as long as links to it may live. */
export const replacedVersions = sqliteTable(
  "replaced_versions",
  {
    fileId: integer("file_id").notNull(),
    version: integer().notNull(),
    fileName: text("file_name").notNull(),
    mimeType: text("mime_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    sha256: text().notNull(),
    r2Key: text("r2_key")
      .notNull()
      .unique()
      .references(() => orphanedObjects.r2Key, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.version] })],
);

/** A file that arrives in parts. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: id(),
    r2Key: text("r2_key").notNull().unique(),
    r2UploadId: text("r2_upload_id").notNull(),
    /** The file that it is a new version of, and in the end the one that it became. */
    fileId: integer("file_id").references(() => files.id, { onDelete: "cascade" }),
    /** What the new file will be; null for a new version. */
    facts: text({ mode: "json" }).$type<FileFacts>(),
    fileName: text("file_name").notNull(),
    /** The type that the sender declares. */
    declaredType: text("declared_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** The hash that the sender computed; null if none was sent. */
    sha256: text(),
    createdAt: createdAt(),
    expiresAt: integer("expires_at").notNull(),
    completedAt: integer("completed_at"),
  },
  (table) => [index("uploads_by_end").on(table.expiresAt)],
);

export const uploadParts = sqliteTable(
  "upload_parts",
  {
    uploadId: integer("upload_id")
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    /** What R2 knows the part by. */
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);
