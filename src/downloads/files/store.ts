import { badRequest, fieldError } from "../../domain/errors.ts";
import { requireRow } from "../../platform/db/client.ts";
import { abort, chunksOf, type Hashed, orUnavailable, type Stores } from "./bucket.ts";
import { contentType, HEAD_BYTES } from "./content-type.ts";
import { registerObject, tryDeleteOrphan } from "./orphaned-objects.ts";

/** An incoming file: its declared name and type, and its bytes. */
export type Incoming = Hashed & { fileName: string; declaredType: string };

/** Stored bytes and their detected properties. */
export type Content = { r2Key: string; fileName: string; mimeType: string; sizeBytes: number; sha256: string };

/** How many bytes of a file are held in memory. R2 requires all parts of a larger file but the last to be of one size. */
const CHUNK_BYTES = 8 * 1024 * 1024;

export const newObjectKey = (): string => `files/${crypto.randomUUID()}`;

/**
 * Stores an incoming file and passes it to `claim`, which attaches it to a row. If anything fails, the object is deleted.
 * `expected` is the SHA-256 that the sender declared, if any.
 */
export async function storeFile<T>(
  stores: Stores,
  incoming: Incoming,
  expected: string | undefined,
  save: (content: Content) => Promise<T>,
): Promise<T> {
  const r2Key = newObjectKey();
  try {
    const content = await store(stores, r2Key, incoming);
    requireSha256(content.sha256, expected);
    return await save(content);
  } catch (error) {
    await tryDeleteOrphan(stores, r2Key);
    throw error;
  }
}

export function requireSha256(actual: string, expected: string | null | undefined): void {
  if (expected && expected !== actual)
    throw badRequest(
      fieldError("sha256", "checksum_mismatch", `is not the SHA-256 of the bytes that arrived: ${actual}`),
    );
}

async function store(
  stores: Stores,
  r2Key: string,
  { fileName, declaredType, bytes, sha256 }: Incoming,
): Promise<Content> {
  let mimeType = "";
  const sizeBytes = await putObject(stores, r2Key, bytes, (beginning) => {
    if (beginning.length === 0) throw badRequest(fieldError("file", "too_small", "must not be empty", { limit: 1 }));
    mimeType = contentType(beginning.subarray(0, HEAD_BYTES), fileName, declaredType);
  });
  return { r2Key, fileName, mimeType, sizeBytes, sha256: requireRow(await sha256()) };
}

/** Stores bytes without a waiting sender, and returns their key. They are deleted unless a row comes to hold them. */
export async function storeBytes(stores: Stores, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const r2Key = newObjectKey();
  await putObject(stores, r2Key, bytes, () => undefined);
  return r2Key;
}

/** Stores incoming bytes and returns their number. `look` inspects the first of them before any are stored. */
async function putObject(
  stores: Stores,
  r2Key: string,
  bytes: AsyncIterable<Uint8Array>,
  look: (beginning: Uint8Array) => void,
): Promise<number> {
  let sizeBytes = 0;
  let parts: Parts | undefined;
  for await (const { chunk, last } of chunksOf(bytes, CHUNK_BYTES)) {
    if (sizeBytes === 0) look(chunk);
    sizeBytes += chunk.length;
    if (last && !parts) await putWhole(stores, r2Key, chunk);
    else if (chunk.length > 0) {
      parts ??= await openParts(stores, r2Key);
      await parts.add(chunk);
    }
  }
  await parts?.complete();
  return sizeBytes;
}

async function putWhole({ db, bucket }: Stores, r2Key: string, bytes: Uint8Array): Promise<void> {
  await registerObject(db, r2Key, null);
  await orUnavailable(bucket.put(r2Key, bytes));
}

type Parts = { add: (bytes: Uint8Array) => Promise<void>; complete: () => Promise<void> };

async function openParts(stores: Stores, r2Key: string): Promise<Parts> {
  const upload = await orUnavailable(stores.bucket.createMultipartUpload(r2Key));
  await registerObject(stores.db, r2Key, upload.uploadId).catch(async (error: unknown) => {
    await abort(stores, r2Key, upload.uploadId);
    throw error;
  });
  const parts: R2UploadedPart[] = [];
  return {
    add: async (bytes) => {
      parts.push(await orUnavailable(upload.uploadPart(parts.length + 1, bytes)));
    },
    complete: async () => {
      await orUnavailable(upload.complete(parts));
    },
  };
}
