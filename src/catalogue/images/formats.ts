import { imageDimensionsFromData } from "image-dimensions";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { ImageType } from "../../platform/db/schema.ts";
import { withoutAvifMetadata } from "./metadata/avif.ts";
import { withoutPngMetadata, withoutWebpMetadata } from "./metadata/chunks.ts";
import { withoutGifMetadata } from "./metadata/gif.ts";
import { withoutJpegMetadata } from "./metadata/jpeg.ts";

/** An image's bytes without the metadata that reveals where a photo was taken. A sideways image is rotated by the viewer. */
type StrippedImage = { bytes: Uint8Array; isSideways?: boolean };

/** An image format and the function that strips its metadata. `strip` returns null for an incomplete file. */
type Format = { mimeType: ImageType; strip: (bytes: Uint8Array) => StrippedImage | null };

/**
 * Keyed by the names that image-dimensions uses, which detects a format by its first bytes. SVG is excluded because it can
 * contain scripts.
 */
const formats: Partial<Record<string, Format>> = {
  png: { mimeType: "image/png", strip: withoutPngMetadata },
  jpeg: { mimeType: "image/jpeg", strip: withoutJpegMetadata },
  webp: { mimeType: "image/webp", strip: withoutWebpMetadata },
  avif: { mimeType: "image/avif", strip: withoutAvifMetadata },
  gif: { mimeType: "image/gif", strip: withoutGifMetadata },
};

/** More pixels than any phone camera takes. */
const MAX_PIXELS = 50_000_000;

/** The largest width and height that Cloudflare resizes: https://developers.cloudflare.com/images/get-started/limits/ */
const MAX_SIDE = 12_000;

export type ReadImage = { bytes: Uint8Array; mimeType: ImageType; width: number; height: number };

/** Detects an image's type from its bytes and strips its metadata. The file name and declared type are ignored. */
export function readImage(sent: Uint8Array): ReadImage {
  const found = imageDimensionsFromData(sent);
  const format = found && formats[found.type];
  const stripped = format?.strip(sent);
  if (!found || !format || !stripped || found.width * found.height === 0) {
    throw badRequest(fieldError("file", "content_mismatch", "must be a PNG, JPEG, WebP, AVIF or GIF image"));
  }
  const { bytes, isSideways = false } = stripped;
  const [width, height] = isSideways ? [found.height, found.width] : [found.width, found.height];
  if (width * height > MAX_PIXELS) throw tooBig(`must have at most ${MAX_PIXELS / 1e6} million pixels`, MAX_PIXELS);
  if (Math.max(width, height) > MAX_SIDE) throw tooBig(`must have at most ${MAX_SIDE} pixels per side`, MAX_SIDE);
  return { bytes, mimeType: format.mimeType, width, height };
}

const tooBig = (message: string, limit: number) => badRequest(fieldError("file", "too_big", message, { limit }));
