import {
  type EditableProduct,
  isSentByDefault,
  NewProduct,
  ProductChange,
  type ProductRow,
  productFields,
  productState,
} from "../../../catalogue/products/public.ts";
import { formatAmount } from "../../../domain/money.ts";
import { newRow, toColumns } from "../../../platform/administration/fields.ts";
import { difference } from "../../../platform/audit/entry.ts";
import { merge } from "../../../platform/db/precondition.ts";
import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { failuresOf } from "../fitted.ts";
import {
  type CategoryChoice,
  chooseCategory,
  firstFree,
  type Known,
  type NewCategories,
  slugCandidates,
} from "./found.ts";
import type { ProductRecord } from "./shape.ts";

type Row = { line: number; state: EditableProduct; newCategory: string | null };
export type CreatedProduct = Row & { id: number | null; createdAt: number; updatedAt: number };
export type ChangedProduct = Row & { product: ProductRow; stockDelta: number | null } & ReturnType<typeof difference>;

/** Planned changes of a slice of records. */
export type ProductPlan = {
  created: CreatedProduct[];
  changed: ChangedProduct[];
  unchanged: number;
  failed: number;
  failures: RowFailure[];
  categories: NewCategories;
};

/** Plans each record: updates the product with its SKU, or creates one. */
export function planProducts(records: ProductRecord[], known: Known, now: number): ProductPlan {
  const plan: ProductPlan = { created: [], changed: [], unchanged: 0, failed: 0, failures: [], categories: new Map() };
  for (const record of records) {
    plan.failures.push(...record.warnings);
    const sent = { ...record.sent, ...knownFiles(record, known, plan.failures) };
    const category = chooseCategory(record, known, plan.categories);
    const product = known.products.get(record.sku);
    const problems =
      !product && record.onlyUpdates
        ? [record.onlyUpdates]
        : "failure" in category
          ? [category.failure]
          : product
            ? planChange(plan, { ...record, sent }, product, category, known)
            : planCreation(plan, { ...record, sent }, category, known, now);
    if (problems.length > 0) plan.failed++;
    plan.failures.push(...problems);
  }
  return plan;
}

function planCreation(plan: ProductPlan, record: ProductRecord, category: CategoryChoice, known: Known, now: number) {
  const { line, partialImages: images } = record;
  const sent = {
    ...record.ifNew,
    ...record.sent,
    ...(images && { images }),
    ...(category.id !== undefined && { category_id: category.id }),
  };
  const { data, error } = NewProduct.safeParse(sent);
  if (error) return failuresOf(line, error.issues, sent);
  if (data.slug !== undefined && known.slugs.has(data.slug)) return [slugTaken(line)];
  const slug = data.slug ?? freeSlug(record, known);
  known.slugs.add(slug);
  const manageStock = typeof data.stock_quantity === "number";
  const derived = { slug, manageStock, requiresShipping: isSentByDefault(data.type) };
  const state = reducedOnly(plan, line, newRow(productFields, data, derived));
  const createdAt = Math.min(record.createdAt ?? now, now);
  const updatedAt = Math.max(createdAt, Math.min(record.updatedAt ?? now, now));
  const id = record.id !== undefined && !known.ids.has(record.id) ? record.id : null;
  if (id !== null) known.ids.add(id);
  plan.created.push({ line, id, state, newCategory: category.newSlug, createdAt, updatedAt });
  return [];
}

function planChange(
  plan: ProductPlan,
  record: ProductRecord,
  product: ProductRow,
  category: CategoryChoice,
  known: Known,
) {
  const { line } = record;
  const sent = { ...record.sent, ...(category.id !== undefined && { category_id: category.id }) };
  const { data, error } = ProductChange.safeParse(sent);
  if (error) return failuresOf(line, error.issues, sent);
  if (data.slug !== undefined && data.slug !== product.slug && known.slugs.has(data.slug)) return [slugTaken(line)];
  const { fileIds, ...columns } = toColumns(productFields, data);
  const stock = stockAfter(product, data);
  if (stock instanceof StockProblem) return [{ line, field: "stock_quantity", ...stock.words }];
  const { files, ...row } = product;
  const before: EditableProduct = { ...row, fileIds: files.map(({ id }) => id) };
  const state = reducedOnly(plan, line, merge(before, { ...columns, fileIds, ...stock.columns }));
  const states = difference(stateShown(before), stateShown(state));
  const isChanged = Object.keys(states.after ?? {}).length > 0 || category.newSlug !== null;
  if (isChanged)
    plan.changed.push({
      line,
      product,
      state,
      newCategory: category.newSlug,
      stockDelta: stock.delta,
      ...states,
    });
  else plan.unchanged++;
  return [];
}

/** Drops a compare-at price that is not higher than the price, with a warning. */
function reducedOnly(plan: ProductPlan, line: number, state: EditableProduct): EditableProduct {
  const { price, compareAtPrice } = state;
  if (compareAtPrice === null || compareAtPrice > price) return state;
  const message = `of ${formatAmount(compareAtPrice)} is not higher than the price of ${formatAmount(price)}, so it was left out`;
  plan.failures.push({ line, field: "compare_at_price", code: "not_applicable", message, isWarning: true });
  return { ...state, compareAtPrice: null };
}

function freeSlug(record: ProductRecord, { slugOf, slugs }: Known): string {
  const [ofName, withSku] = slugCandidates(record, slugOf);
  return slugs.has(ofName) ? firstFree(withSku, 1, slugs) : ofName;
}

export const stateShown = ({ fileIds, ...row }: EditableProduct) =>
  productState({ ...row, files: fileIds.map((id) => ({ id })) });

const slugTaken = (line: number): RowFailure => ({
  line,
  field: "slug",
  code: "slug_taken",
  message: "belongs to another product",
});

/** Keeps files that the shop has. Others are left out with a warning, since files are not imported. */
function knownFiles({ line, sent }: ProductRecord, { files }: Known, failures: RowFailure[]) {
  const ids = sent.file_ids;
  if (!Array.isArray(ids)) return {};
  const missing = ids.filter((id) => Number.isInteger(id) && !files.has(id));
  for (const id of missing) {
    const message = `file ${id} does not exist and is left out`;
    failures.push({ line, field: "file_ids", code: "unknown_reference", message, isWarning: true });
  }
  return { file_ids: ids.filter((id) => !missing.includes(id)) };
}

type Stock = { columns: Pick<ProductRow, "manageStock" | "stockQuantity">; delta: number | null };

/** The reason a row's stock value cannot be applied. */
class StockProblem {
  readonly words: { code: string; message: string };
  constructor(code: string, message: string) {
    this.words = { code, message };
  }
}

/**
 * Returns a product's stock after the row. Stock already managed moves by the adjustment `delta`, so that concurrent sales
 * are not lost.
 */
function stockAfter(product: ProductRow, { manage_stock, stock_quantity }: ProductChange): Stock | StockProblem {
  const counted = typeof stock_quantity === "number" ? stock_quantity : null;
  const manageStock = manage_stock ?? (counted !== null || product.manageStock);
  if (!manageStock) {
    if (counted !== null) return new StockProblem("not_applicable", "is for products whose stock is managed");
    return { columns: { manageStock, stockQuantity: null }, delta: null };
  }
  if (product.manageStock) {
    const stockQuantity = counted ?? product.stockQuantity;
    return { columns: { manageStock, stockQuantity }, delta: (stockQuantity ?? 0) - (product.stockQuantity ?? 0) };
  }
  if (counted === null) return new StockProblem("required", "is required to start managing stock");
  return { columns: { manageStock, stockQuantity: counted }, delta: null };
}
