import { logFault } from "../http/log.ts";
import { abort, reaching, type Stores } from "./bucket.ts";
import { doomDueObjects, doomObject, forgetObject, forgetUploads } from "./unclaimed-queries.ts";

/** Deletes an object, unless a file has claimed it. What cannot be done now the schedule will do. */
export async function giveUpObject(stores: Stores, r2Key: string): Promise<void> {
  for (const { r2UploadId } of await doomObject(stores.db, r2Key)) await deleteObject(stores, r2Key, r2UploadId);
}

/** The same for who has another failure to tell of. */
export async function discardObject(stores: Stores, r2Key: string): Promise<void> {
  try {
    await giveUpObject(stores, r2Key);
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
  if (r2UploadId !== null) await reaching(abort(stores, r2Key, r2UploadId));
  await reaching(stores.bucket.delete(r2Key));
  await forgetObject(stores.db, r2Key);
}
