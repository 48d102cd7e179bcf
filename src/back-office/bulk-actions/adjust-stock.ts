import { adjustmentWrites, findAnyProducts, stockNotManaged } from "../../catalogue/products/public.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { Runner, Slice, Work } from "../../platform/jobs/run-slice.ts";
import { sliceByRow } from "./by-row.ts";
import { AdjustStock } from "./parameters.ts";

async function slice(work: Work): Promise<Slice> {
  const { db, job } = work;
  const { ids, ...adjustment } = AdjustStock.parse(job.parameters);
  return sliceByRow(
    work,
    ids,
    (chosen) => findAnyProducts(db, chosen),
    ({ id, manageStock, options }) => {
      if (options.length > 0)
        throw badRequest(fieldError("stock", "not_applicable", "the product has variants. Adjust the stock of these"));
      if (manageStock) return adjustmentWrites(work, [{ id, adjustment }]);
      throw badRequest(fieldError("stock", "stock_not_managed", stockNotManaged));
    },
  );
}

/** Adjusts the stock of products. The database refuses to remove more than is in stock. */
export const stockAdjustment: Runner = {
  limit: 25,
  slice,
  refusals: {
    stock_not_managed: { code: "stock_not_managed", message: stockNotManaged },
    stock_not_negative: { code: "negative_stock", message: "takes more than is available after open orders" },
  },
};
