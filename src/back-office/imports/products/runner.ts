import type { Runner } from "../../../platform/jobs/kind.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { planReadable } from "../planned.ts";
import { dryRun, type PlanRecords, slicesOf } from "../slices.ts";
import { findKnown } from "./found.ts";
import { type FindPictures, fetchPictures, previewPictures, withImages } from "./pictures.ts";
import { type Plan, planProducts } from "./plan.ts";
import { shapeOf } from "./shape.ts";
import { undoProducts } from "./undo.ts";
import { writePlan } from "./write.ts";

const planWith =
  (findPictures: FindPictures): PlanRecords<Plan> =>
  async (work, all, urls) => {
    const { env, db, author } = work;
    const { records, warnings } = withImages(all, urls.length > 0 ? await findPictures(work, urls) : new Map());
    const { currency } = readSettings(env);
    const plan = await planReadable(
      records.map((record) => shapeOf(record, currency)),
      async (readable) => planProducts(readable, await findKnown(db, readable), author.now),
    );
    return { ...plan, failures: [...plan.failures, ...warnings] };
  };

/** Reports what an import of products would do. */
export const checkProducts: Runner = dryRun(planWith(previewPictures));

/** Writes the products of an import. */
export const importProducts: Runner = {
  limit: 100,
  slice: slicesOf(planWith(fetchPictures), writePlan),
  undo: undoProducts,
  refusals: {
    stock_not_negative: {
      field: "stock_quantity",
      code: "negative_stock",
      message: "takes more than is in stock",
    },
    "products.slug": { field: "slug", code: "slug_taken", message: "belongs to another product" },
    "FOREIGN KEY": { code: "in_use", message: "is in use and stays" },
  },
};
