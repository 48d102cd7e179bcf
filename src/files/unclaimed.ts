import { logFault } from "../http/log.ts";
import { abort, reaching, type Stores } from "./bucket.ts";
import { doomDueObjects, doomObject, forgetObject, forgetUploads, type Unclaimed } from "./unclaimed-queries.ts";

/** Deletes an object, unless a file has claimed it. What cannot be done now the schedule will do. */
export async function giveUpObject(stores: Stores, r2Key: string): Promise<void> {
  for (const doomed of await doomObject(stores.db, r2Key)) await deleteObject(stores, doomed);
}

/** The same for who has another failure to tell of. */
export const discardObject = (stores: Stores, r2Key: string): Promise<void> =>
  leavingFaults(r2Key, () => giveUpObject(stores, r2Key));

/** Deletes what no file claimed in time, and what files no longer hold; one that cannot be keeps none from its turn. */
export async function deleteUnclaimed(stores: Stores, now: number): Promise<void> {
  for (const doomed of await doomDueObjects(stores.db, now)) {
    await leavingFaults(doomed.r2Key, () => deleteObject(stores, doomed));
  }
  await forgetUploads(stores.db, now);
}

async function leavingFaults(r2Key: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    logFault("an object is left to the schedule", error, { r2_key: r2Key });
  }
}

/** The line is the last to go, so that a deletion that fails is tried again. */
async function deleteObject(stores: Stores, { r2Key, r2UploadId }: Unclaimed): Promise<void> {
  if (r2UploadId !== null) await reaching(abort(stores, r2Key, r2UploadId));
  await reaching(stores.bucket.delete(r2Key));
  await forgetObject(stores.db, r2Key);
}
