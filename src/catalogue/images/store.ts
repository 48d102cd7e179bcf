import { tooLarge } from "../../domain/errors.ts";
import { type IncomingFile, orUnavailable } from "../../downloads/files/public.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { objectKey } from "./address.ts";
import { readImage } from "./formats.ts";
import { type ImageRow, insertImage, registerImage } from "./images.ts";
import { joined } from "./metadata/byte-buffer.ts";

const MAX_IMAGE_BYTES = 10_000_000;

type ImageContext = Pick<WriteContext, "env" | "db" | "author">;

/** Stores an image, or finds the existing one with identical bytes. It is deleted after a day if no product shows it. */
async function storeImage(ctx: ImageContext, sent: Uint8Array): Promise<ImageRow> {
  if (sent.length > MAX_IMAGE_BYTES) throw tooLong();
  const { bytes, ...facts } = readImage(sent);
  const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const known = await registerImage(ctx, sha256);
  if (!known) {
    const httpMetadata = { contentType: facts.mimeType };
    await orUnavailable(ctx.env.FILES.put(objectKey(sha256), bytes, { httpMetadata }));
  }
  return insertImage(ctx, { image: { ...facts, sha256, sizeBytes: bytes.length }, isKnown: known !== null });
}

/** Stores an uploaded image. */
export async function storeUpload(ctx: ImageContext, { bytes }: Pick<IncomingFile, "bytes">): Promise<ImageRow> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > MAX_IMAGE_BYTES) throw tooLong();
    parts.push(part);
  }
  return storeImage(ctx, joined(parts));
}

const tooLong = () => tooLarge(MAX_IMAGE_BYTES, "10 MB");
