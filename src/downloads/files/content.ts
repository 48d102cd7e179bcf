import { unavailable } from "../../domain/errors.ts";
import { logFault } from "../../platform/http/log.ts";
import type { FileRow } from "./schemas.ts";

/** Larger texts are links too: a JSON answer is held in memory on both sides. */
const MAX_DATA_BYTES = 64 * 1024;

/** Whether a file is answered as data: a text or JSON short enough to be read rather than saved. */
export const isData = ({ mimeType, sizeBytes }: FileRow): boolean =>
  sizeBytes <= MAX_DATA_BYTES && /^(text\/|application\/json(;|$))/.test(mimeType);

/** The stored bytes of a file, or of a part of it. A row without its object is a fault of ours. */
export async function readContent(bucket: R2Bucket, file: FileRow, range?: R2Range): Promise<R2ObjectBody> {
  const object = await bucket.get(file.r2Key, range ? { range } : {}).catch((error: unknown) => {
    logFault("R2 is out of reach", error, { file: file.id });
    throw unavailable();
  });
  if (!object) throw new Error(`File ${file.id} has no object ${file.r2Key}`);
  return object;
}

/** The whole of a short text, to the byte; null when it is not UTF-8 and has to be a link after all. */
export async function readText(bucket: R2Bucket, file: FileRow): Promise<string | null> {
  const object = await readContent(bucket, file);
  const bytes = await object.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
