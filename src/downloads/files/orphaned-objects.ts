import { logFault } from "../../platform/http/log.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { abort, orUnavailable, type Stores } from "./bucket.ts";
import {
  deleteExpiredUploads,
  deleteObjectRows,
  markDueForDeletion,
  markForDeletion,
  type OrphanedObject,
} from "./orphaned-object-queries.ts";

/** Deletes an object, unless a file holds it. The schedule repeats a deletion that fails. */
export async function deleteOrphan(stores: Stores, r2Key: string): Promise<void> {
  for (const orphan of await markForDeletion(stores.db, r2Key)) await deleteObject(stores, orphan);
}

/** Deletes an object as `deleteOrphan` does, and only logs a failure: for callers that already have an error to throw. */
export async function tryDeleteOrphan(stores: Stores, r2Key: string): Promise<void> {
  try {
    await deleteOrphan(stores, r2Key);
  } catch (error) {
    logFault("an object is left to the schedule", error, { r2_key: r2Key });
  }
}

/** Deletes the objects that no file holds: uploads that were not completed in time, and replaced content. */
export async function deleteOrphanedObjects(stores: Stores, now: number): Promise<void> {
  await workOff(stores.db, now, {
    queue: "delete_objects",
    find: () => markDueForDeletion(stores.db, now),
    idOf: ({ r2Key }) => r2Key,
    run: (orphan) => deleteObject(stores, orphan),
  });
  await deleteExpiredUploads(stores.db, now);
}

/** The row is deleted last, so that a deletion that fails is repeated. */
async function deleteObject(stores: Stores, { r2Key, r2UploadId }: OrphanedObject): Promise<void> {
  if (r2UploadId !== null) await orUnavailable(abort(stores, r2Key, r2UploadId));
  await orUnavailable(stores.bucket.delete(r2Key));
  await deleteObjectRows(stores.db, r2Key);
}
