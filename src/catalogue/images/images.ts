import { and, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { conflict, requireFound } from "../../domain/errors.ts";
import { Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { type Database, requireFirst, requireRow, writeThenRead } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { images, imageTypes, orphanedObjects, productImages } from "../../platform/db/schema.ts";
import { insertSelected, precondition, translateViolations } from "../../platform/db/statements.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { imagePath, objectKey } from "./address.ts";

/** Keeps the uploaded images among `urls` until `until`, even if no product shows them. */
export function keepImages(db: Database, urls: string[], until: number): SQL {
  const keys = urls.flatMap((url) => /\/images\/([0-9a-f]{64})/.exec(url)?.[1] ?? []).map(objectKey);
  const { deleteAt, r2Key } = orphanedObjects;
  return db
    .update(orphanedObjects)
    .set({ deleteAt: sql`max(${deleteAt}, ${until})` })
    .where(and(gt(deleteAt, 0), sql`${r2Key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`))
    .getSQL();
}

/** How long an image is kept if no product shows it. */
const UNSHOWN_MS = 24 * 60 * 60 * 1000;

const imageAsJson = jsonRow<ImageRow>(getTableColumns(images));

const imageOf = (sha256: string): SQL<ImageRow | null> =>
  sql`(SELECT ${imageAsJson} FROM ${images} WHERE ${images.sha256} = ${sha256})`;

/** A subquery with a row for each product that shows the image. */
const productsWith = (sha256: string): SQL =>
  sql`SELECT 1 FROM ${productImages} JOIN ${images} ON ${images.id} = ${productImages.imageId} WHERE ${images.sha256} = ${sha256}`;

/**
 * Registers an object before it is stored, to be deleted in a day unless a product shows it. Returns the image if it already
 * exists.
 */
export async function registerImage({ db, author: { now } }: AuthorContext, sha256: string): Promise<ImageRow | null> {
  const { deleteAt } = orphanedObjects;
  const register = insertSelected(
    orphanedObjects,
    { r2Key: objectKey(sha256), deleteAt: now + UNSHOWN_MS },
    sql`WHERE NOT EXISTS (${productsWith(sha256)})
      ON CONFLICT DO UPDATE SET delete_at = max(${deleteAt}, excluded.delete_at) WHERE ${deleteAt} > 0`,
  );
  const read = db
    .select({ image: json<ImageRow | null>(sql`ifnull(${imageOf(sha256)}, 'null')`) })
    .from(sql`(SELECT 1)`);
  return requireFirst(await writeThenRead(db, [register], read)).image;
}

/** Prevents inserting a row for an object that was deleted or is being deleted. */
const isStored = (sha256: string): SQL =>
  precondition(sql`EXISTS (
    SELECT 1 FROM ${orphanedObjects} WHERE ${orphanedObjects.r2Key} = ${objectKey(sha256)} AND ${orphanedObjects.deleteAt} > 0
    UNION ALL ${productsWith(sha256)})`);

const deletedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "The image is being deleted. Upload it again"),
};

export const requireImage = (db: Database, id: number): Promise<ImageRow> =>
  requireFound(db.select().from(images).where(eq(images.id, id)).get(), `Image ${id}`);

type NewImage = Omit<ImageRow, "id" | "createdAt">;

/** Inserts the row of a stored object if it has none. */
export async function insertImage(
  { db, author }: AuthorContext,
  { image, isKnown }: { image: NewImage; isKnown: boolean },
): Promise<ImageRow> {
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
        id: sql`(SELECT ${images.id} FROM ${images} WHERE ${images.sha256} = ${sha256})`,
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

export const toStoredImage = (row: ImageRow, origin: string): z.output<typeof StoredImage> =>
  toRecord(StoredImage, row, { url: origin + imagePath(row) });
