import { onFirstUse } from "../../platform/http/on-first-use.ts";
import type { FetchImages } from "./fetched/fetch.ts";
import type { PreviewImages } from "./fetched/preview.ts";

export { hashInPath } from "./address.ts";
export type { Fetched } from "./fetched/fetch.ts";
export { keepImages } from "./keep-queries.ts";

// What checks addresses and reads images is loaded where some are fetched: products need only the paths of theirs.

const fetching = onFirstUse(() => import("./fetched/fetch.ts"));
const previewing = onFirstUse(() => import("./fetched/preview.ts"));

export const fetchImages: FetchImages = async (context, urls) => (await fetching()).fetchImages(context, urls);
export const previewImages: PreviewImages = async (context, urls) => (await previewing()).previewImages(context, urls);
