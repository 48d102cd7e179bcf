import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { products } from "./products.ts";

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
    productId: integer("product_id")
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    imageId: integer("image_id")
      .notNull()
      .references(() => images.id),
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
    imageId: integer("image_id")
      .notNull()
      .references(() => images.id, { onDelete: "cascade" }),
    fetchedAt: integer("fetched_at").notNull(),
  },
  (table) => [index("fetched_images_by_image").on(table.imageId)],
);
