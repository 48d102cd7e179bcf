import { onFirstUse } from "../../platform/http/on-first-use.ts";
import type { FetchImages, PreviewImages } from "./fetch.ts";

export { hashInPath, inWidth } from "./address.ts";
export type { FetchResult } from "./fetch.ts";
export { keepImages } from "./images.ts";

// The code that checks URLs and reads images is loaded only when images are fetched. Products need only image paths.

const fetching = onFirstUse(() => import("./fetch.ts"));
const previewing = onFirstUse(() => import("./fetch.ts"));

export const fetchImagesLazily: FetchImages = async (context, urls) => (await fetching()).fetchImages(context, urls);
export const previewImagesLazily: PreviewImages = async (context, urls) =>
  (await previewing()).previewImages(context, urls);
