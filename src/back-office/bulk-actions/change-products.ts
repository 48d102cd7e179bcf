import * as z from "zod";
import {
  type EditedColumns,
  findAnyProducts,
  type ProductRow,
  productWrites,
} from "../../catalogue/products/public.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { nextVersion } from "../../platform/db/precondition.ts";
import { productStatuses } from "../../platform/db/schema.ts";
import type { Runner, Slice, Work } from "../../platform/jobs/kind.ts";
import { keepChanges } from "../../platform/jobs/run-slice.ts";
import { sliceByRow } from "./by-row.ts";
import { changedPrices } from "./price.ts";
import { undoProducts } from "./undo-products.ts";

export const ChangeProducts = z.object({
  ids: z.array(z.int()),
  status: z.enum(productStatuses).optional(),
  categoryId: z.int().nullable().optional(),
  price: z.object({ millionths: z.int(), compareAt: z.enum(["keep", "previous", "none"]) }).optional(),
});
export type ChangeProducts = z.output<typeof ChangeProducts>;

function pricesOf(before: ProductRow, price: ChangeProducts["price"]): EditedColumns {
  if (!price) return {};
  const prices = changedPrices(before, price);
  if (prices) return prices;
  throw badRequest(fieldError("price", "invalid", "would exceed the maximum price"));
}

/** Returns the columns that the change affects, with their values before and after. */
function differencesOf(before: ProductRow, { status, categoryId, price }: ChangeProducts) {
  const wanted = { status, categoryId, ...pricesOf(before, price) };
  const columns: EditedColumns = {};
  const kept: Record<string, { from: unknown; to: unknown }> = {};
  for (const [name, to] of Object.entries(wanted)) {
    const from = Reflect.get(before, name);
    if (to === undefined || to === from) continue;
    Object.assign(columns, { [name]: to });
    kept[name] = { from, to };
  }
  return { columns, kept };
}

async function slice(work: Work): Promise<Slice> {
  const { db, job, author } = work;
  const parameters = ChangeProducts.parse(job.parameters);
  return sliceByRow(
    work,
    parameters.ids,
    (ids) => findAnyProducts(db, ids),
    (before) => {
      const { columns, kept } = differencesOf(before, parameters);
      if (Object.keys(kept).length === 0) return [];
      const change = { subjectId: before.id, before: kept, version: nextVersion(before, author.now) };
      return [...productWrites(work, { before, columns }), keepChanges(job.id, JSON.stringify([change]))];
    },
  );
}

/** Changes the status, the category and the price of products. */
export const changeProducts: Runner = {
  limit: 50,
  slice,
  undo: undoProducts,
  refusals: {
    "FOREIGN KEY": { field: "category_id", code: "unknown_reference", message: "no longer exists" },
  },
};
