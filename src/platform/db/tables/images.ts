import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { products } from "./products.ts";

export const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/avif", "image/gif"] as const;
export type ImageType = (typeof imageTypes)[number];

/** Uploaded images. R2 holds each by its SHA-256, and `orphaned_objects` those that no product shows. */
export const images = sqliteTable("images", {
  id: id(),
  /** Hex; also the name in its address. */
  sha256: text().notNull().unique(),
  mimeType: text("mime_type", { enum: imageTypes }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  createdAt: createdAt(),
});

/** Which products show an uploaded image, kept by triggers. */
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

/** Images that were fetched by an address, so that imports need not fetch them again for some days. */
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
