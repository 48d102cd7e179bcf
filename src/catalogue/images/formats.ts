import { imageDimensionsFromData } from "image-dimensions";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { ImageType } from "../../platform/db/schema.ts";
import { withoutAvifMetadata } from "./metadata/avif.ts";
import { withoutGifMetadata } from "./metadata/gif.ts";
import { withoutJpegMetadata } from "./metadata/jpeg.ts";
import { withoutPngMetadata } from "./metadata/png.ts";
import { withoutWebpMetadata } from "./metadata/webp.ts";

/** An image's bytes without the metadata that says where a photograph was taken. A sideways one is turned by whoever shows it. */
type Stripped = { bytes: Uint8Array; isSideways?: boolean };

/** A format of images, and what strips its metadata; null of what is not whole. */
type Format = { mimeType: ImageType; strip: (bytes: Uint8Array) => Stripped | null };

/** By the names of image-dimensions, which knows a format by its first bytes. SVG is none of them: it can hold script. */
const formats: Partial<Record<string, Format>> = {
  png: { mimeType: "image/png", strip: withoutPngMetadata },
  jpeg: { mimeType: "image/jpeg", strip: withoutJpegMetadata },
  webp: { mimeType: "image/webp", strip: withoutWebpMetadata },
  avif: { mimeType: "image/avif", strip: withoutAvifMetadata },
  gif: { mimeType: "image/gif", strip: withoutGifMetadata },
};

/** More than any camera of a telephone takes. */
const MAX_PIXELS = 50_000_000;

/** The widest and the highest that Cloudflare resizes. */
const MAX_SIDE = 12_000;

export type ReadImage = { bytes: Uint8Array; mimeType: ImageType; width: number; height: number };

/** What an image is by its bytes, and its bytes without metadata. Its name and the type that it is sent as do not count. */
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
  if (Math.max(width, height) > MAX_SIDE) throw tooBig(`must have at most ${MAX_SIDE} pixels a side`, MAX_SIDE);
  return { bytes, mimeType: format.mimeType, width, height };
}

const tooBig = (message: string, limit: number) => badRequest(fieldError("file", "too_big", message, { limit }));
