import {
  type EditedColumns,
  findAnyProducts,
  type ProductRow,
  productWrites,
} from "../../catalogue/products/public.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { isSame } from "../../platform/db/statements.ts";
import type { Runner, Slice, Work } from "../../platform/jobs/run-slice.ts";
import { type KeptValues, keepRow, sliceByRow, undoByRow } from "./by-row.ts";
import { changedPrices, tagsAfter } from "./changed-values.ts";
import { ChangeProducts } from "./parameters.ts";

/** The price of a product with options is that of its variants, which are changed instead. */
function pricesOf(before: ProductRow, price: ChangeProducts["price"]): EditedColumns {
  if (!price || before.options.length > 0) return {};
  const prices = changedPrices(before, price);
  if (prices) return prices;
  throw badRequest(fieldError("price", "invalid", "would exceed the maximum price"));
}

/** Returns the columns that the change affects, with their values before and after. */
function differencesOf(row: ProductRow, change: ChangeProducts) {
  const { status, categoryId, price, onlyPriced } = change;
  const before = withShownStatus(row);
  const isVariant = row.parentId !== null;
  const isOnlyPriced = isVariant && onlyPriced.includes(row.id);
  if (isVariant && !isOnlyPriced && categoryId !== undefined && categoryId !== row.categoryId)
    throw badRequest(fieldError("category_id", "not_applicable", "is always the category of the variant's product"));
  const tags = tagsAfter(before.tags, change);
  if (isVariant && !isOnlyPriced && !isSame(tags, row.tags))
    throw badRequest(fieldError("tags", "not_applicable", "are always the tags of the variant's product"));
  const wanted = { ...(!isOnlyPriced && { status, categoryId, tags }), ...pricesOf(before, price) };
  const columns: EditedColumns = {};
  const kept: KeptValues = {};
  for (const [name, to] of Object.entries(wanted)) {
    const from = Reflect.get(before, name);
    if (to === undefined || isSame([to], [from])) continue;
    Object.assign(columns, { [name]: to });
    kept[name] = { from, to };
  }
  return { columns, kept };
}

/** The editable status of a variant is its own. */
const withShownStatus = (row: ProductRow): ProductRow => ({ ...row, status: row.ownStatus ?? row.status });

async function slice(work: Work): Promise<Slice> {
  const { db, job } = work;
  const parameters = ChangeProducts.parse(job.parameters);
  return sliceByRow(
    work,
    parameters.ids,
    (ids) => findAnyProducts(db, ids),
    (before) => {
      const { columns, kept } = differencesOf(before, parameters);
      if (Object.keys(kept).length === 0) return [];
      return [...productWrites(work, { before, columns }), keepRow(work, before, kept)];
    },
  );
}

/** Restores products' earlier values if they still have those that the job set. */
const undoProducts = (work: Work): Promise<Slice> =>
  undoByRow(work, {
    read: (ids) => findAnyProducts(work.db, ids),
    shownIn: (row, name) => Reflect.get(withShownStatus(row), name),
    restore: (before, columns) => productWrites(work, { before, columns }),
  });

/** Changes the status, the category, the tags and the price of products. */
export const changeProducts: Runner = {
  limit: 25,
  slice,
  undo: undoProducts,
  refusals: {
    "FOREIGN KEY": { field: "category_id", code: "unknown_reference", message: "no longer exists" },
  },
};
