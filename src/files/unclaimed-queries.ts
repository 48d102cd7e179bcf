import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { unclaimedObjects, uploads } from "../db/schema.ts";
import { conflict } from "../errors.ts";

/** How long a request may take to store an object before it counts as lost. */
const REQUEST_MS = 2 * 60 * 60 * 1000;

/** How many objects one run of the schedule deletes. */
const MAX_DOOMED = 50;

export type Unclaimed = Pick<typeof unclaimedObjects.$inferSelect, "r2Key" | "r2UploadId">;

/** Writes down an object that is about to be stored: from here on it is a file's, or it is deleted. */
export async function announceObject(db: Database, r2Key: string, r2UploadId: string | null): Promise<void> {
  await db.insert(unclaimedObjects).values({ r2Key, r2UploadId, deleteAt: Date.now() + REQUEST_MS });
}

/** The statements that make an object a file's, for the batch that writes its row; refused once it is being deleted. */
export const claimObject = (r2Key: string): SQL[] => [
  sql`
    INSERT INTO preconditions (holds)
    SELECT EXISTS (SELECT 1 FROM unclaimed_objects WHERE r2_key = ${r2Key} AND delete_at > 0)`,
  sql`DELETE FROM unclaimed_objects WHERE r2_key = ${r2Key}`,
];

/** The statement that gives an object up at a time, for the batch that takes it from its file. */
export const releaseObject = (r2Key: string, deleteAt: number): SQL => sql`
  INSERT INTO unclaimed_objects (r2_key, delete_at) VALUES (${r2Key}, ${deleteAt})`;

/** Dooms one object, unless a file has claimed it: then there is none. */
export const doomObject = (db: Database, r2Key: string): Promise<Unclaimed[]> =>
  db.update(unclaimedObjects).set({ deleteAt: 0 }).where(eq(unclaimedObjects.r2Key, r2Key)).returning().all();

/** Dooms objects whose time has come. */
export const doomDueObjects = (db: Database, now: number): Promise<Unclaimed[]> =>
  db
    .update(unclaimedObjects)
    .set({ deleteAt: 0 })
    .where(
      sql`r2_key IN (
        SELECT r2_key FROM unclaimed_objects WHERE delete_at <= ${now} ORDER BY delete_at LIMIT ${MAX_DOOMED}
      )`,
    )
    .returning()
    .all();

/** Forgets an object that is deleted, with the upload that it was to come from. */
export async function forgetObject(db: Database, r2Key: string): Promise<void> {
  await db.batch([
    db.delete(uploads).where(eq(uploads.r2Key, r2Key)),
    db.delete(unclaimedObjects).where(eq(unclaimedObjects.r2Key, r2Key)),
  ]);
}

/** Forgets uploads whose time is over, also those that became files. */
export async function forgetUploads(db: Database, now: number): Promise<void> {
  await db.delete(uploads).where(sql`expires_at <= ${now}`);
}

/** The object was given up while it was being stored. */
export const tookTooLong = { row_changed: () => conflict("upload_expired", "The upload took too long: begin again") };
