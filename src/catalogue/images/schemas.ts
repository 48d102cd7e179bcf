import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import type { images } from "../../platform/db/schema.ts";
import { imageTypes } from "../../platform/db/schema.ts";
import { imagePath } from "./address.ts";

export type ImageRow = typeof images.$inferSelect;

/** An uploaded image in the administration API. */
export const StoredImage = z
  .object({
    url: z.string().describe("Permanent address of the image, to use in a product's images"),
    mime_type: z.enum(imageTypes),
    width: z.int(),
    height: z.int(),
    size_bytes: z.int().describe("Size in bytes, after metadata was removed"),
    created_at: Timestamp,
  })
  .meta({ id: "StoredImage" });

export const toStoredImage = (row: ImageRow, origin: string): z.output<typeof StoredImage> => ({
  url: origin + imagePath(row),
  mime_type: row.mimeType,
  width: row.width,
  height: row.height,
  size_bytes: row.sizeBytes,
  created_at: iso(row.createdAt),
});
