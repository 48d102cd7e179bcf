import type { FileRow } from "./schemas.ts";

/** Larger texts are links too: a JSON answer is held in memory on both sides. */
const MAX_DATA_BYTES = 64 * 1024;

/** Whether a file is answered as data: a text or JSON short enough to be read rather than saved. */
export const isData = ({ mimeType, sizeBytes }: FileRow): boolean =>
  sizeBytes <= MAX_DATA_BYTES && (mimeType.startsWith("text/") || mimeType === "application/json");

/** The stored bytes of a file, or of a part of it. A row without its object is a fault of ours. */
export async function readContent(bucket: R2Bucket, file: FileRow, range?: R2Range): Promise<R2ObjectBody> {
  const object = await bucket.get(file.r2Key, range ? { range } : {});
  if (!object) throw new Error(`File ${file.id} has no object ${file.r2Key}`);
  return object;
}
