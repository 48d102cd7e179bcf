import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { products } from "../../catalogue/products/tables.ts";
import { orderItems, orders } from "../../checkout/orders/tables.ts";
import {
  createdAt,
  flag,
  foldedWordsColumn,
  foreignId,
  id,
  isFolded,
  rowId,
  updatedAt,
} from "../../platform/db/columns.ts";

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
    index("files_by_update").on(table.updatedAt),
  ],
);

export const productFiles = sqliteTable(
  "product_files",
  {
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
    fileId: foreignId("file_id", () => files.id),
    /** True for a variant that has the file from its parent. Triggers write these rows. */
    inherited: flag("inherited").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.fileId] }),
    index("product_files_by_file").on(table.fileId),
  ],
);

/** Objects without a file's row, recorded before they are stored, so that none is lost. */
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
    uploadId: foreignId("upload_id", () => uploads.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    /** R2's ETag of the part. */
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);

/** The right to download files: one row per line item, or a grant by an administrator. */
export const packages = sqliteTable(
  "packages",
  {
    id: rowId(),
    userId: integer("user_id").references(() => users.id),
    orderId: integer("order_id").references(() => orders.id),
    orderItemId: integer("order_item_id").references(() => orderItems.id),
    /** Unrefunded units of the line item. Null for a grant. */
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
    packageId: foreignId("package_id", () => packages.id),
    fileId: foreignId("file_id", () => files.id),
    // Copied from the package by triggers, so that a buyer's best package for a file is found in one lookup.
    userId: integer("user_id"),
    /** 0 unlimited, 1 has downloads left, 2 has none, 3 revoked. */
    standing: integer(),
    /** Later than any possible time if it never expires. */
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
    packageId: foreignId("package_id", () => packages.id),
    fileId: foreignId("file_id", () => files.id),
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

export const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/avif", "image/gif"] as const;
export type ImageType = (typeof imageTypes)[number];

/** Uploaded images. R2 stores each by its SHA-256; `orphaned_objects` lists those without a product. */
export const images = sqliteTable("images", {
  id: id(),
  /** Hex. Also the name in its URL. */
  sha256: text().notNull().unique(),
  mimeType: text("mime_type", { enum: imageTypes }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  createdAt: createdAt(),
});

/** Products that show an uploaded image. Written by triggers. */
export const productImages = sqliteTable(
  "product_images",
  {
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
    imageId: foreignId("image_id", () => images.id),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.imageId] }),
    index("product_images_by_image").on(table.imageId),
  ],
);

/** Images fetched from a URL. Imports need not fetch them again for some days. */
export const fetchedImages = sqliteTable(
  "fetched_images",
  {
    url: text().primaryKey(),
    imageId: foreignId("image_id", () => images.id, { onDelete: "cascade" }),
    fetchedAt: integer("fetched_at").notNull(),
  },
  (table) => [index("fetched_images_by_image").on(table.imageId)],
);
