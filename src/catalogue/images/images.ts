import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { conflict, notFound } from "../../domain/errors.ts";
import { iso, Timestamp } from "../../domain/fields.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireFirst, requireRow, writeThenRead } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { images, imageTypes } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { imagePath, objectKey } from "./address.ts";

/** Keeps the uploaded images among `urls` until `until`, even if no product shows them. */
export function keepImages(urls: string[], until: number): SQL {
  const keys = urls.flatMap((url) => /\/images\/([0-9a-f]{64})/.exec(url)?.[1] ?? []).map(objectKey);
  return sql`UPDATE orphaned_objects SET delete_at = max(delete_at, ${until})
    WHERE delete_at > 0 AND r2_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
}

/** How long an image is kept if no product shows it. */
const UNSHOWN_MS = 24 * 60 * 60 * 1000;

const imageAsJson = jsonRow<ImageRow>(getTableColumns(images));

const imageOf = (sha256: string): SQL<ImageRow | null> =>
  sql`(SELECT ${imageAsJson} FROM images WHERE sha256 = ${sha256})`;

/**
 * Registers an object before it is stored, to be deleted in a day unless a product shows it. Returns the image if it already
 * exists.
 */
export async function registerImage(db: Database, sha256: string, now: number): Promise<ImageRow | null> {
  const register = sql`
    INSERT INTO orphaned_objects (r2_key, delete_at)
    SELECT ${objectKey(sha256)}, ${now + UNSHOWN_MS}
    WHERE NOT EXISTS (SELECT 1 FROM product_images JOIN images ON images.id = image_id WHERE sha256 = ${sha256})
    ON CONFLICT DO UPDATE SET delete_at = max(delete_at, excluded.delete_at) WHERE delete_at > 0`;
  const read = db
    .select({ image: json<ImageRow | null>(sql`ifnull(${imageOf(sha256)}, 'null')`) })
    .from(sql`(SELECT 1)`);
  return requireFirst(await writeThenRead(db, [register], read)).image;
}

/** Prevents inserting a row for an object that was deleted or is being deleted. */
const isStored = (sha256: string): SQL => sql`
  INSERT INTO preconditions (holds) SELECT EXISTS (
    SELECT 1 FROM orphaned_objects WHERE r2_key = ${objectKey(sha256)} AND delete_at > 0
    UNION ALL SELECT 1 FROM product_images JOIN images ON images.id = image_id WHERE sha256 = ${sha256})`;

const deletedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "The image is deleted in this moment: upload it again"),
};

export async function requireImage(db: Database, id: number): Promise<ImageRow> {
  const image = await db.select().from(images).where(eq(images.id, id)).get();
  if (!image) throw notFound(`Image ${id}`);
  return image;
}

type NewImage = Omit<ImageRow, "id" | "createdAt">;

/** Inserts the row of a stored object if it has none. */
export async function insertImage(db: Database, author: Author, image: NewImage, isKnown: boolean): Promise<ImageRow> {
  const { sha256, mimeType, width, height, sizeBytes } = image;
  const after = { sha256, mime_type: mimeType, width, height, size_bytes: sizeBytes };
  const insert = [
    db
      .insert(images)
      .values({ ...image, createdAt: author.now })
      .onConflictDoNothing()
      .getSQL(),
    auditEntry(
      { author },
      {
        action: "create",
        subject: "image",
        id: sql`(SELECT id FROM images WHERE ${eq(images.sha256, sha256)})`,
        after,
      },
    ),
  ];
  const writes = [isStored(sha256), ...(isKnown ? [] : insert)];
  const written = writeOnce<ImageRow>({ db, author }, { writes, answer: imageOf(sha256) });
  return requireRow(await translateViolations(written, deletedMeanwhile));
}

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
