import { ApiError, unavailable } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";

/** The stores of a file: the database for its row, R2 for its bytes. */
export type Stores = { db: Database; bucket: R2Bucket };

export const storesOf = (c: { env: Env; var: { db: Database } }): Stores => ({ db: c.var.db, bucket: c.env.FILES });

/** Awaits R2 and throws 503 when it fails. An ApiError that was thrown on the way is passed on. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    logFault("R2 is out of reach", error);
    throw unavailable();
  }
}

/** R2's codes for a multipart upload that has ended, and for parts that are not those it has. */
export const isUploadGone = (error: unknown): boolean => error instanceof Error && error.message.includes("(10024)");
export const hasMissingParts = (error: unknown): boolean => error instanceof Error && error.message.includes("(10025)");

/** Aborts a multipart upload, unless it has ended already. */
export async function abort({ bucket }: Stores, r2Key: string, r2UploadId: string): Promise<void> {
  const upload = await bucket.resumeMultipartUpload(r2Key, r2UploadId);
  await upload.abort().catch((error: unknown) => {
    if (!isUploadGone(error)) throw error;
  });
}
