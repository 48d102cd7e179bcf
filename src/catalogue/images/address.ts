import type { ImageType } from "../../platform/db/schema.ts";

/** Of each type its extension in addresses. */
const extensions: Record<string, string> & Record<ImageType, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/gif": "gif",
};

/** What stands for an image below /images/. */
export const imageName = (sha256: string, type: string): string => `${sha256}.${extensions[type]}`;

/** Where an image is served on this deployment: for equal bytes at one address, which never has others. */
export const imagePath = ({ sha256, mimeType }: { sha256: string; mimeType: string }): `/images/${string}` =>
  `/images/${imageName(sha256, mimeType)}`;

/** The hash of the uploaded image that a path names; null of any other path. */
export const hashInPath = (path: string): string | null => /^\/images\/([0-9a-f]{64})\.[a-z]+$/.exec(path)?.[1] ?? null;

/** The name of an image's object in R2. */
export const objectKey = (sha256: string): string => `images/${sha256}`;

/** The widths that images are served in, beside their own: a list, so that nobody has any number of them computed. */
export const imageWidths = [160, 320, 640, 1280] as const;
export type ImageWidth = (typeof imageWidths)[number];

/** The address of an image in a width: of an uploaded one, on whatever host; any other is as wide as it is. */
export const inWidth = (url: string, width: ImageWidth): string =>
  /\/images\/[0-9a-f]{64}\.[a-z]+$/.test(url) ? `${url}?width=${width}` : url;
