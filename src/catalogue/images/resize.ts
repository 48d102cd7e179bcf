import { logFault } from "../../platform/http/log.ts";
import type { ImageWidth } from "./address.ts";

type Resized = { body: ReadableStream; type: string };

/**
 * An image in a width that it is not below, as WebP, without metadata and turned as it is to be shown. Null where the
 * deployment has no Images binding or that fails: of AVIF, or beyond its quota.
 */
export async function resized(
  { IMAGES }: Partial<Pick<Env, "IMAGES">>,
  bytes: ArrayBuffer,
  width: ImageWidth,
): Promise<Resized | null> {
  if (!IMAGES) return null;
  try {
    const image = IMAGES.input(new Blob([bytes]).stream()).transform({ width, fit: "scale-down" });
    const output = await image.output({ format: "image/webp", quality: 82 });
    return { body: output.image(), type: output.contentType() };
  } catch (error) {
    logFault("an image could not be resized", error, { width });
    return null;
  }
}
