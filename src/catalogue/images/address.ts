import type { ImageType } from "../../platform/db/schema.ts";

/** File extension in image URLs, by MIME type. */
const extensions: Record<string, string> & Record<ImageType, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/gif": "gif",
};

/** File name of an image below /images/. */
export const imageName = (sha256: string, type: string): string => `${sha256}.${extensions[type]}`;

/** Path of an image on this deployment. Identical bytes share one path, and a path never serves other bytes. */
export const imagePath = ({ sha256, mimeType }: { sha256: string; mimeType: string }): `/images/${string}` =>
  `/images/${imageName(sha256, mimeType)}`;

/** Returns the hash of the uploaded image that a path names, or null for any other path. */
export const hashInPath = (path: string): string | null => /^\/images\/([0-9a-f]{64})\.[a-z]+$/.exec(path)?.[1] ?? null;

/** R2 key of an image. */
export const objectKey = (sha256: string): string => `images/${sha256}`;

/** Widths that images can be resized to, in pixels. A fixed list prevents clients from requesting arbitrary resizes. */
export const imageWidths = [160, 320, 640, 1280] as const;
export type ImageWidth = (typeof imageWidths)[number];

/** Returns the URL of an uploaded image resized to a width, on any host. Other URLs are returned unchanged. */
export const inWidth = (url: string, width: ImageWidth): string =>
  /\/images\/[0-9a-f]{64}\.[a-z]+$/.test(url) ? `${url}?width=${width}` : url;
