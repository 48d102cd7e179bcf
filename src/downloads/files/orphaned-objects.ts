import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { conflict } from "../../domain/errors.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { images, orphanedObjects, uploads } from "../../platform/db/schema.ts";
import { insertSelected, precondition } from "../../platform/db/statements.ts";
import { logFault } from "../../platform/http/log.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff, workOffInBulk } from "../../platform/queues/work-off.ts";
import { abort, deleteWithDerived, orUnavailable, type StorageContext } from "./bucket.ts";

/** Deletes an object unless a file holds it. The schedule retries a failed deletion. */
export async function deleteOrphan(ctx: StorageContext, r2Key: string, dueBy = Number.MAX_SAFE_INTEGER): Promise<void> {
  for (const orphan of await markForDeletion(ctx.db, r2Key, dueBy)) await deleteObject(ctx, orphan);
}

/** Deletes an object as `deleteOrphan` does, and only logs a failure: for callers that already have an error to throw. */
export async function tryDeleteOrphan(ctx: StorageContext, r2Key: string): Promise<void> {
  try {
    await deleteOrphan(ctx, r2Key);
  } catch (error) {
    logFault("orphaned object not deleted; the schedule deletes it", error, { r2_key: r2Key });
  }
}

/** Deletes the objects that no file holds: uploads that were not completed in time, and replaced content. */
export async function deleteOrphanedObjects(ctx: StorageContext, now: number): Promise<void> {
  await deleteExpiredUploads(ctx.db, now);
  await workOff(ctx.db, now, {
    queue: "delete_objects",
    find: () => findDue(ctx.db, now),
    idOf: ({ r2Key }) => r2Key,
    run: ({ r2Key }) => deleteOrphan(ctx, r2Key, now),
  });
}

/** Deletes the row last, so that a failed deletion is retried. */
async function deleteObject(ctx: StorageContext, { r2Key, r2UploadId }: OrphanedObject): Promise<void> {
  if (r2UploadId !== null) await orUnavailable(abort(ctx, { r2Key, r2UploadId }));
  await orUnavailable(deleteWithDerived(ctx, r2Key));
  await deleteObjectRows(ctx.db, r2Key);
}

/** How long a request may take to store an object before the object counts as abandoned. */
const REQUEST_MS = 2 * 60 * 60 * 1000;

/** Maximum number of objects that one run of the schedule deletes. */
const MAX_DELETED = 50;

type OrphanedObject = Pick<typeof orphanedObjects.$inferSelect, "r2Key" | "r2UploadId">;

/** Registers an object before it is stored, so that it is deleted unless it becomes the content of a file. */
export async function registerObject({ db }: Pick<WriteContext, "db">, object: OrphanedObject): Promise<void> {
  await db.insert(orphanedObjects).values({ ...object, deleteAt: Date.now() + REQUEST_MS });
}

/**
 * Returns the statements that attach an object to a file, for the batch that writes the file's row. Refused once the object
 * is being deleted.
 */
export const attachObject = (r2Key: string): SQL[] => {
  const isObject = eq(orphanedObjects.r2Key, r2Key);
  const isKept = gt(orphanedObjects.deleteAt, 0);
  return [
    precondition(sql`EXISTS (SELECT 1 FROM ${orphanedObjects} WHERE ${isObject} AND ${isKept})`),
    sql`DELETE FROM ${orphanedObjects} WHERE ${isObject}`,
  ];
};

/** Returns the statement that schedules an object's deletion at `deleteAt`, for the batch that removes it from its file. */
export const detachObject = (r2Key: string, deleteAt: number): SQL =>
  insertSelected(orphanedObjects, { r2Key, deleteAt });

/** Marks an object for deletion and returns it. Empty if a file holds it, or if it is not yet to be deleted by `dueBy`. */
const markForDeletion = (db: Database, r2Key: string, dueBy: number): Promise<OrphanedObject[]> =>
  db
    .update(orphanedObjects)
    .set({ deleteAt: 0 })
    .where(and(eq(orphanedObjects.r2Key, r2Key), lte(orphanedObjects.deleteAt, dueBy)))
    .returning()
    .all();

/** True unless the shop's logo is the object. */
const isNoLogo = sql`NOT EXISTS (SELECT 1 FROM shop WHERE instr(logo ->> 'url', ${orphanedObjects.r2Key}) > 0)`;

const findDue = (db: Database, now: number) =>
  db
    .select({ r2Key: orphanedObjects.r2Key })
    .from(orphanedObjects)
    .where(and(lte(orphanedObjects.deleteAt, now), isNoLogo, isFree("delete_objects", orphanedObjects.r2Key, now)))
    .orderBy(orphanedObjects.deleteAt)
    .limit(MAX_DELETED);

/** Deletes the rows of a deleted object, and of its upload or image. */
async function deleteObjectRows(db: Database, r2Key: string): Promise<void> {
  await db.batch([
    db.delete(uploads).where(eq(uploads.r2Key, r2Key)),
    db.delete(images).where(sql`${images.sha256} = substr(${r2Key}, length('images/') + 1)`),
    db.delete(orphanedObjects).where(eq(orphanedObjects.r2Key, r2Key)),
  ]);
}

/** Deletes expired uploads, including those that became files. */
const deleteExpiredUploads = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_uploads",
    id: uploads.id,
    where: lte(uploads.expiresAt, now),
  });

/** The error for an object that was marked for deletion while it was being stored. */
export const uploadExpired = { row_changed: () => conflict("upload_expired", "The upload took too long. Start again") };
