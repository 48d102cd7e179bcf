import { badRequest, fieldError } from "../../domain/errors.ts";
import { requireRow } from "../../platform/db/client.ts";
import { abort, chunksOf, type HashedBytes, orUnavailable, type StorageContext } from "./bucket.ts";
import { registerObject, tryDeleteOrphan } from "./orphaned-objects.ts";
import { contentType, SIGNATURE_BYTES } from "./uploads/content-type.ts";

/** An incoming file: its declared name and type, and its bytes. */
export type IncomingFile = HashedBytes & { fileName: string; declaredType: string };

/** Stored bytes and their detected properties. */
export type StoredContent = { r2Key: string; fileName: string; mimeType: string; sizeBytes: number; sha256: string };

/** How many bytes of a file are held in memory. R2 requires all parts of a larger file but the last to be of one size. */
const CHUNK_BYTES = 8 * 1024 * 1024;

export const newObjectKey = (): string => `files/${crypto.randomUUID()}`;

/**
 * Stores an incoming file and passes it to `save`, which attaches it to a row. If anything fails, the object is deleted.
 * `sha256` is the SHA-256 that the sender declared, if any.
 */
export async function storeFile<T>(
  ctx: StorageContext,
  {
    file,
    sha256,
    save,
  }: { file: IncomingFile; sha256?: string | undefined; save: (content: StoredContent) => Promise<T> },
): Promise<T> {
  const r2Key = newObjectKey();
  try {
    const content = await store(ctx, { r2Key, file });
    requireSha256(content.sha256, sha256);
    return await save(content);
  } catch (error) {
    await tryDeleteOrphan(ctx, r2Key);
    throw error;
  }
}

export function requireSha256(actual: string, expected: string | null | undefined): void {
  if (expected && expected !== actual)
    throw badRequest(
      fieldError("sha256", "checksum_mismatch", `is not the SHA-256 of the content, which is ${actual}`),
    );
}

async function store(
  ctx: StorageContext,
  { r2Key, file: { fileName, declaredType, bytes, sha256 } }: { r2Key: string; file: IncomingFile },
): Promise<StoredContent> {
  let mimeType = "";
  const look = (beginning: Uint8Array) => {
    if (beginning.length === 0) throw badRequest(fieldError("file", "too_small", "must not be empty", { limit: 1 }));
    mimeType = contentType(beginning.subarray(0, SIGNATURE_BYTES), fileName, declaredType);
  };
  const sizeBytes = await putObject(ctx, { r2Key, bytes, look });
  return { r2Key, fileName, mimeType, sizeBytes, sha256: requireRow(await sha256()) };
}

/** Stores bytes without a waiting sender, and returns their key. They are deleted unless a row comes to hold them. */
export async function storeBytes(ctx: StorageContext, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const r2Key = newObjectKey();
  await putObject(ctx, { r2Key, bytes, look: () => undefined });
  return r2Key;
}

/** Stores incoming bytes and returns their number. `look` inspects the first of them before any are stored. */
async function putObject(
  ctx: StorageContext,
  { r2Key, bytes, look }: { r2Key: string; bytes: AsyncIterable<Uint8Array>; look: (beginning: Uint8Array) => void },
): Promise<number> {
  let sizeBytes = 0;
  let parts: Parts | undefined;
  for await (const { chunk, last } of chunksOf(bytes, CHUNK_BYTES)) {
    if (sizeBytes === 0) look(chunk);
    sizeBytes += chunk.length;
    if (last && !parts) await putWhole(ctx, { r2Key, bytes: chunk });
    else if (chunk.length > 0) {
      parts ??= await openParts(ctx, r2Key);
      await parts.add(chunk);
    }
  }
  await parts?.complete();
  return sizeBytes;
}

async function putWhole(ctx: StorageContext, { r2Key, bytes }: { r2Key: string; bytes: Uint8Array }): Promise<void> {
  await registerObject(ctx, { r2Key, r2UploadId: null });
  await orUnavailable(ctx.env.FILES.put(r2Key, bytes));
}

type Parts = { add: (bytes: Uint8Array) => Promise<void>; complete: () => Promise<void> };

async function openParts(ctx: StorageContext, r2Key: string): Promise<Parts> {
  const upload = await orUnavailable(ctx.env.FILES.createMultipartUpload(r2Key));
  const object = { r2Key, r2UploadId: upload.uploadId };
  await registerObject(ctx, object).catch(async (error: unknown) => {
    await abort(ctx, object);
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
