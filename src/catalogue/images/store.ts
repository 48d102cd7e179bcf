import { tooLarge } from "../../domain/errors.ts";
import { type Incoming, orUnavailable, type Stores } from "../../downloads/files/public.ts";
import type { Author } from "../../platform/auth/author.ts";
import { objectKey } from "./address.ts";
import { readImage } from "./formats.ts";
import { type ImageRow, insertImage, registerImage } from "./images.ts";
import { joined } from "./metadata/byte-buffer.ts";

const MAX_IMAGE_BYTES = 10_000_000;

/** Stores an image, or finds the existing one with identical bytes. It is deleted after a day if no product shows it. */
async function storeImage({ db, bucket }: Stores, sent: Uint8Array, author: Author): Promise<ImageRow> {
  if (sent.length > MAX_IMAGE_BYTES) throw tooLong();
  const { bytes, ...facts } = readImage(sent);
  const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const known = await registerImage(db, sha256, author.now);
  if (!known) {
    const httpMetadata = { contentType: facts.mimeType };
    await orUnavailable(bucket.put(objectKey(sha256), bytes, { httpMetadata }));
  }
  return insertImage(db, author, { ...facts, sha256, sizeBytes: bytes.length }, known !== null);
}

/** Stores an uploaded image. */
export async function storeUpload(
  stores: Stores,
  { bytes }: Pick<Incoming, "bytes">,
  author: Author,
): Promise<ImageRow> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > MAX_IMAGE_BYTES) throw tooLong();
    parts.push(part);
  }
  return storeImage(stores, joined(parts), author);
}

const tooLong = () => tooLarge(MAX_IMAGE_BYTES, "10 MB");
