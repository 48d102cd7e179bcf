import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, foldedWordsColumn, id, isFolded, updatedAt } from "./columns.ts";
import { products } from "./products.ts";

export const fileAccess = ["public", "authenticated", "package"] as const;
export type FileAccess = (typeof fileAccess)[number];

/** Properties of a file given at upload. */
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
    /** Hex. Also the strong ETag of the bytes. */
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

/** Objects without a file's row, recorded before they are stored, so that none is lost track of. */
export const orphanedObjects = sqliteTable(
  "orphaned_objects",
  {
    r2Key: text("r2_key").primaryKey(),
    /** R2's upload id while the object is an unfinished multipart upload. */
    r2UploadId: text("r2_upload_id"),
    /** 0 while it is being deleted: no file can claim it any more. */
    deleteAt: integer("delete_at").notNull(),
  },
  (table) => [index("orphaned_objects_by_end").on(table.deleteAt)],
);

/** Content replaced by a newer version, kept as long as links to it may be valid. */
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

/** A multipart upload of a file. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: id(),
    r2Key: text("r2_key").notNull().unique(),
    r2UploadId: text("r2_upload_id").notNull(),
    /** The file that gets a new version; once complete, the resulting file. */
    fileId: integer("file_id").references(() => files.id, { onDelete: "cascade" }),
    /** Properties of the new file. Null for a new version. */
    facts: text({ mode: "json" }).$type<FileFacts>(),
    fileName: text("file_name").notNull(),
    /** Media type declared by the sender. */
    declaredType: text("declared_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Hash sent by the client. Null if none was sent. */
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
    /** R2's ETag of the part. */
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);
