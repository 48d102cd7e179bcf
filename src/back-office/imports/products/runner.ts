import { type FetchResult, fetchImagesLazily, previewImagesLazily } from "../../../catalogue/images/public.ts";
import { MAX_IMAGE_ALT, stockNotManaged } from "../../../catalogue/products/public.ts";
import { limits } from "../../../domain/limits.ts";
import { beginningInWords } from "../../../domain/text.ts";
import { type RowFailure, type Runner, touchJob, type Work } from "../../../platform/jobs/run-slice.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { planReadable } from "../planned.ts";
import type { ImportRecord } from "../reading/record.ts";
import { dryRun, type PlanRecords, slicesOf } from "../slices.ts";
import { findKnownProducts } from "./found.ts";
import { type ProductPlan, planProducts } from "./plan.ts";
import { toProductRecord } from "./shape.ts";
import { undoProducts } from "./undo.ts";
import { writeProducts } from "./write.ts";

/** Returns the results of fetching pictures, by URL. */
type FindPictures = (work: Work, urls: string[]) => Promise<Map<string, FetchResult>>;

/** Interval at which the schedule is told that a slice is in progress. */
const HEARTBEAT_MS = 4_000;

/** Fetches pictures that are not stored yet. */
const fetchPictures: FindPictures = ({ env, db, job, author }, urls) => {
  let last = Date.now();
  const heartbeat = async () => {
    if (Date.now() - last < HEARTBEAT_MS) return;
    last = Date.now();
    await touchJob(db, job.id, last);
  };
  return fetchImagesLazily({ env, db, author, resolver: readSettings(env).webhooks, heartbeat }, urls);
};

/** Fetches nothing. A new picture is represented by its own URL. */
const previewPictures: FindPictures = ({ env, db, author }, urls) =>
  previewImagesLazily({ db, rules: readSettings(env).webhooks, now: author.now }, urls);

/** Characters shown of a URL, which may exceed the length of a failure's message. */
const SHOWN_CHARACTERS = 300;

type RecordsWithImages = { records: ImportRecord[]; warnings: RowFailure[] };

/** Replaces pictures with their images, and returns the errors of records whose pictures failed. */
function withImages(records: ImportRecord[], found: Map<string, FetchResult>): RecordsWithImages {
  const warnings: RowFailure[] = [];
  const illustrated = records.map((record): ImportRecord => {
    const { line, fields, pictures } = record;
    if (!fields || !pictures) return record;
    if (pictures.some(({ alt }) => alt.length > MAX_IMAGE_ALT)) {
      const message = `have a description of more than ${MAX_IMAGE_ALT} characters, which was shortened`;
      warnings.push({ line, field: "images", code: "too_big", message, isWarning: true });
    }
    const images = pictures.flatMap(({ url, alt }) => {
      const picture = found.get(url) ?? { problem: "could not be fetched" };
      if ("path" in picture) return [{ url: picture.path, alt: beginningInWords(alt, MAX_IMAGE_ALT) }];
      const message = `${url.slice(0, SHOWN_CHARACTERS)} ${picture.problem}`;
      warnings.push({ line, field: "images", code: "not_fetched", message, isWarning: true });
      return [];
    });
    if (images.length < pictures.length) return { ...record, partialImages: images };
    return { ...record, fields: { ...fields, images } };
  });
  return { records: illustrated, warnings };
}

const planWith =
  (findPictures: FindPictures, { isCheck }: { isCheck: boolean }): PlanRecords<ProductPlan> =>
  async (work, all, urls) => {
    const { env, db, author } = work;
    const { records, warnings } = withImages(all, urls.length > 0 ? await findPictures(work, urls) : new Map());
    const { currency } = readSettings(env);
    const plan = await planReadable(
      records.map((record) => toProductRecord(record, currency)),
      async (readable) => planProducts(readable, await findKnownProducts(db, readable), { now: author.now, isCheck }),
    );
    return { ...plan, failures: [...plan.failures, ...warnings] };
  };

/** Reports what an import of products would do. */
export const checkProducts: Runner = dryRun(planWith(previewPictures, { isCheck: true }));

/** Writes the products of an import. */
export const importProducts: Runner = {
  limit: 100,
  slice: slicesOf(planWith(fetchPictures, { isCheck: false }), writeProducts),
  undo: undoProducts,
  refusals: {
    stock_not_managed: { field: "stock_quantity", code: "stock_not_managed", message: stockNotManaged },
    stock_not_negative: {
      field: "stock_quantity",
      code: "negative_stock",
      message: "takes more than is in stock",
    },
    "products.option_values": {
      field: "option_values",
      code: "option_values_taken",
      message: "belong to another variant of the product",
    },
    too_many_variants: {
      field: "parent_sku",
      code: "too_many_variants",
      message: `already has ${limits.VARIANTS_PER_PRODUCT} variants, the maximum for a product`,
    },
    product_has_variants: {
      field: "options",
      code: "in_use",
      message: "cannot be removed while the product has variants",
    },
    image_deleted: {
      field: "images",
      code: "unknown_reference",
      message: "name an uploaded image that does not exist",
    },
    "products.external_id": {
      field: "external_id",
      code: "external_id_taken",
      message: "belongs to another product",
    },
    "products.slug": { field: "slug", code: "slug_taken", message: "belongs to another product" },
    "FOREIGN KEY": { code: "in_use", message: "is in use and stays" },
  },
};
