import { createHash } from "node:crypto";
import { ApiError, unavailable } from "../../domain/errors.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { logFault } from "../../platform/http/log.ts";

/** Where a file is stored: its row in the database, its bytes in the bucket among the bindings. */
export type StorageContext = Pick<WriteContext, "env" | "db">;

/** Awaits R2 and throws 503 if it fails. Passes on an ApiError thrown on the way. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    logFault("R2 unavailable", error);
    throw unavailable();
  }
}

/** Prefix of objects that were made from others. They are deleted with them, and left out of backups. */
export const DERIVED_PREFIX = "derived/";

/** The key of an object that was made from another, such as a smaller image. */
export const derivedKey = (r2Key: string, variant: string | number): string => `${DERIVED_PREFIX}${r2Key}/${variant}`;

/** Deletes an object and then those that were made from it. */
export async function deleteWithDerived({ env: { FILES } }: Pick<WriteContext, "env">, r2Key: string): Promise<void> {
  await FILES.delete(r2Key);
  const { objects } = await FILES.list({ prefix: derivedKey(r2Key, "") });
  if (objects.length > 0) await FILES.delete(objects.map(({ key }) => key));
}

/** R2's error codes for a multipart upload that has ended and for parts that do not match its own. */
export const isUploadGone = (error: unknown): boolean => error instanceof Error && error.message.includes("(10024)");
export const hasMissingParts = (error: unknown): boolean => error instanceof Error && error.message.includes("(10025)");

/** Aborts a multipart upload, unless it has ended already. */
export async function abort(
  { env }: Pick<WriteContext, "env">,
  { r2Key, r2UploadId }: { r2Key: string; r2UploadId: string },
): Promise<void> {
  const upload = await env.FILES.resumeMultipartUpload(r2Key, r2UploadId);
  await upload.abort().catch((error: unknown) => {
    if (!isUploadGone(error)) throw error;
  });
}

/**
 * Yields the bytes of a stream in chunks of `size`; the last one is shorter or empty. All chunks share one buffer, so use
 * each before asking for the next.
 */
export async function* chunksOf(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Uint8Array; last: boolean }> {
  const buffer = new Uint8Array(size);
  let filled = 0;
  for await (const read of bytes) {
    for (let from = 0; from < read.length; ) {
      const piece = read.subarray(from, from + size - filled);
      buffer.set(piece, filled);
      filled += piece.length;
      from += piece.length;
      if (filled === size) {
        yield { chunk: buffer, last: false };
        filled = 0;
      }
    }
  }
  yield { chunk: buffer.subarray(0, filled), last: true };
}

/** Incoming bytes and their SHA-256 in hex. */
export type HashedBytes = {
  bytes: AsyncIterable<Uint8Array>;
  /** Reads the rest of the bytes. Null if reading was aborted before the end. */
  sha256: () => Promise<string | null>;
};

/** Hashes bytes while they are read. */
export function hashed(incoming: AsyncIterable<Uint8Array>): HashedBytes {
  let digest: string | null = null;
  const bytes = passing(incoming, (hex) => {
    digest = hex;
  });
  return {
    bytes,
    sha256: async () => {
      for await (const _ of bytes);
      return digest;
    },
  };
}

async function* passing(incoming: AsyncIterable<Uint8Array>, told: (hex: string) => void) {
  const hash = createHash("sha256");
  for await (const chunk of incoming) {
    hash.update(chunk);
    yield chunk;
  }
  told(hash.digest("hex"));
}
