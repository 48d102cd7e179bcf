import { logFault } from "../http/log.ts";
import { abort, type Stores } from "./bucket.ts";
import { doomDueObjects, doomObject, forgetObject, forgetUploads } from "./unclaimed-queries.ts";

/** Deletes an object that no file has claimed. Whatever cannot be done now is left to the schedule. */
export async function discardObject(stores: Stores, r2Key: string): Promise<void> {
  try {
    for (const { r2UploadId } of await doomObject(stores.db, r2Key)) await deleteObject(stores, r2Key, r2UploadId);
  } catch (error) {
    logFault("an object is left to the schedule", error, { r2_key: r2Key });
  }
}

/** Deletes what no file claimed in time, and what files no longer hold. */
export async function deleteUnclaimed(stores: Stores, now: number): Promise<void> {
  for (const { r2Key, r2UploadId } of await doomDueObjects(stores.db, now)) {
    await deleteObject(stores, r2Key, r2UploadId);
  }
  await forgetUploads(stores.db, now);
}

/** The line is the last to go, so that a deletion that fails is tried again. */
async function deleteObject(stores: Stores, r2Key: string, r2UploadId: string | null): Promise<void> {
  if (r2UploadId !== null) await abort(stores, r2Key, r2UploadId);
  await stores.bucket.delete(r2Key);
  await forgetObject(stores.db, r2Key);
}
