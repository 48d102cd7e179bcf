import {
  isSentByDefault,
  ProductCreate,
  type ProductRow,
  ProductUpdate,
  productFields,
  productState,
  type StockChange,
} from "../../../catalogue/products/public.ts";
import { formatAmount } from "../../../domain/money.ts";
import { newRow, toColumns } from "../../../platform/administration/fields.ts";
import { difference } from "../../../platform/audit/audit.ts";
import { inheritable } from "../../../platform/db/schema.ts";
import { isSame, merge } from "../../../platform/db/statements.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { failuresOf, withSpelledTags } from "../record-fields.ts";
import {
  type CategoryChoice,
  chooseCategory,
  firstFree,
  type KnownProducts,
  type NewCategories,
  slugCandidates,
} from "./found.ts";
import type { ProductRecord } from "./shape.ts";
import { StockProblem, stockAfter } from "./stock.ts";
import {
  type ImportedProduct,
  importedStateOf,
  inheriting,
  inheritsAfter,
  notAVariant,
  optionsAfter,
  optionValuesOf,
  type ParentProduct,
  ParentProducts,
  problemOfVariant,
  TakenValues,
} from "./variants.ts";

type Row = { line: number; state: ImportedProduct; newCategory: string | null };
export type CreatedProduct = Row & { id: number | null; createdAt: number; updatedAt: number };
export type ChangedProduct = Row & { product: ProductRow; stockDelta: number | null } & ReturnType<typeof difference>;

/** Planned changes of a slice of records. */
export type ProductPlan = {
  created: CreatedProduct[];
  changed: ChangedProduct[];
  unchanged: number;
  failed: number;
  failures: RowFailure[];
  adjusted: StockChange[];
  categories: NewCategories;
};

type PlanContext = {
  plan: ProductPlan;
  known: KnownProducts;
  parents: ParentProducts;
  taken: TakenValues;
  now: number;
  isCheck: boolean;
};

/** Plans each record: updates the product with its SKU, or creates one. */
export function planProducts(
  records: ProductRecord[],
  known: KnownProducts,
  { now, isCheck }: Pick<PlanContext, "now" | "isCheck">,
): ProductPlan {
  const plan: ProductPlan = {
    created: [],
    changed: [],
    unchanged: 0,
    failed: 0,
    failures: [],
    adjusted: [],
    categories: new Map(),
  };
  const planning = { plan, known, parents: new ParentProducts(known.products), taken: new TakenValues(), now, isCheck };
  const { parents } = planning;
  for (const read of records) {
    const product = known.products.get(read.sku);
    const record = withFirstCount(byProductOrSku(read, known, parents), product);
    plan.failures.push(...record.warnings);
    const sent = { ...withSpelledTags(record.sent, known.spelled), ...knownFiles(record, known, plan.failures) };
    const isVariant = record.variantOf !== null || (product && product.parentId !== null);
    const parent = isVariant ? parents.find(record, product) : undefined;
    const failure = isVariant ? problemOfVariant(record, product, parent, isCheck) : null;
    const chosen = isVariant ? PARENTS_CATEGORY : chooseCategory(record, known, plan.categories);
    const category = failure ? { failure } : chosen;
    const problems =
      !product && record.onlyUpdates && !parent
        ? [record.onlyUpdates]
        : "failure" in category
          ? [category.failure]
          : product
            ? planChange(planning, { ...record, sent }, { product, category, parent })
            : planCreation(planning, { ...record, sent }, { category, parent });
    if (problems.length > 0) plan.failed++;
    plan.failures.push(...problems);
  }
  return plan;
}

/** A variant always has the category of its product. */
const PARENTS_CATEGORY: CategoryChoice = { id: undefined, newSlug: null };

type RowReferences = { category: CategoryChoice; parent: ParentProduct | undefined };

/** A row that updates any product with its SKU is a variant only if its product is in the shop. */
function byProductOrSku(record: ProductRecord, known: KnownProducts, parents: ParentProducts): ProductRecord {
  if (!record.onlyUpdates || !record.variantOf) return record;
  const product = known.products.get(record.sku);
  const isVariant = product ? product.parentId !== null : parents.find(record, product) !== undefined;
  return isVariant ? record : { ...record, variantOf: null };
}

/** A count of stock that is not managed yet starts its management, so that programs send all products in one form. */
function withFirstCount(record: ProductRecord, product: ProductRow | undefined): ProductRecord {
  const { adjustment, sent } = record;
  const isSold = product ? product.options.length === 0 : !Array.isArray(sent.options) || sent.options.length === 0;
  if (adjustment?.quantity === undefined || product?.manageStock || !isSold || "stock_quantity" in sent) return record;
  return { ...record, adjustment: null, sent: { ...sent, stock_quantity: adjustment.quantity } };
}

function planCreation(planning: PlanContext, record: ProductRecord, { category, parent }: RowReferences): RowFailure[] {
  const { plan, known, now } = planning;
  const { line, variantOf, partialImages: images } = record;
  if (record.adjustment) return [{ line, field: "stock", ...ADJUSTS_NOTHING }];
  const sent = {
    ...(variantOf ? ofNewVariant(record, parent) : ofNewParent(record)),
    ...record.ifNew,
    ...record.sent,
    ...(images && { images }),
    ...(category.id !== undefined && { category_id: category.id }),
  };
  const { data, error } = ProductCreate.safeParse(sent);
  if (error) return failuresOf(line, error.issues, sent);
  if (data.slug !== undefined && known.slugs.has(data.slug)) return [slugTaken(line)];
  const slug = data.slug ?? freeSlug(record, known);
  known.slugs.add(slug);
  const manageStock = typeof data.stock_quantity === "number";
  const derived = { slug, manageStock, requiresShipping: isSentByDefault(data.type) };
  const made = { ...newRow(productFields, data, derived), ...notAVariant };
  const planned = variantOf
    ? planVariant(planning, record, parent, { ...made, inherits: inheritsAfter(record, inheritable, () => true) })
    : { state: withoutStock(made), newCategory: category.newSlug };
  if ("failure" in planned) return [planned.failure];
  const state = reducedOnly(plan, line, planned.state);
  const createdAt = Math.min(record.createdAt ?? now, now);
  const updatedAt = Math.max(createdAt, Math.min(record.updatedAt ?? now, now));
  const id = record.id !== undefined && !known.ids.has(record.id) ? record.id : null;
  if (id !== null) known.ids.add(id);
  plan.created.push({ line, id, state, newCategory: planned.newCategory, createdAt, updatedAt });
  planning.parents.write({ id: null, state, newCategory: planned.newCategory });
  return [];
}

/** Default fields of a new variant. */
const ofNewVariant = ({ sku }: ProductRecord, parent: ParentProduct | undefined) => ({
  status: "active",
  name: parent?.state.name ?? sku,
  type: parent?.state.type ?? "physical",
});

/** The price of a product with options is that of its variants. */
const ofNewParent = ({ sent: { options } }: ProductRecord) =>
  Array.isArray(options) && options.length > 0 ? { price: 0 } : {};

/** Fields of sold items, which only variants have: stock, compare-at price, cost and barcode. */
const withoutStock = (state: ImportedProduct): ImportedProduct =>
  state.options.length === 0
    ? state
    : { ...state, manageStock: false, stockQuantity: null, compareAtPrice: null, cost: null, barcode: null };

/** Completes a variant with its product's values. */
function planVariant(
  { taken }: PlanContext,
  { line, variantOf }: ProductRecord,
  parent: ParentProduct | undefined,
  variant: ImportedProduct,
): { state: ImportedProduct; newCategory: string | null } | { failure: RowFailure } {
  const own = { ...variant, ownStatus: variant.ownStatus ?? variant.status };
  if (!parent) return { state: own, newCategory: null };
  const values = variantOf?.values ?? variant.optionValues;
  const optionValues = optionValuesOf(line, values, parent.state.options);
  if (!Array.isArray(optionValues)) return { failure: optionValues };
  const planned = inheriting({ ...own, optionValues }, parent);
  const failure = taken.problem(line, planned.state);
  return failure ? { failure } : planned;
}

function planChange(
  planning: PlanContext,
  record: ProductRecord,
  { product, category, parent }: RowReferences & { product: ProductRow },
): RowFailure[] {
  const { plan, known, parents } = planning;
  const { line } = record;
  const sent: Record<string, unknown> = {
    ...record.sent,
    ...(category.id !== undefined && { category_id: category.id }),
  };
  if (product.variantCount > 0) delete sent.price;
  if (product.options.length > 0) for (const name of SOLD) delete sent[name];
  if (product.parentId !== null) for (const name of ["options", "category_id", "tags"]) delete sent[name];
  const { data, error } = ProductUpdate.safeParse(sent);
  if (error) return failuresOf(line, error.issues, sent);
  if (data.slug !== undefined && data.slug !== product.slug && known.slugs.has(data.slug)) return [slugTaken(line)];
  const { fileIds, status, ...columns } = toColumns(productFields, data);
  const options = data.options && optionsAfter(line, product, data.options);
  if (options && !Array.isArray(options)) return [options];
  const stock = stockAfter(product, data);
  if (stock instanceof StockProblem) return [{ line, field: "stock_quantity", ...stock.words }];
  if (record.adjustment === null && stock.delta) return [{ line, field: "stock_quantity", ...NEEDS_ADJUSTMENT }];
  const canAdjust = product.manageStock && stock.columns.manageStock && data.stock_quantity === undefined;
  if (record.adjustment && !canAdjust) return [{ line, field: "stock", ...ADJUSTS_NOTHING }];
  const before = importedStateOf(product, parent?.state.sku ?? null);
  const merged = merge(before, { ...columns, fileIds, ...stock.columns, options });
  const shown: Record<string, unknown> = stateShown(before);
  const planned = parent
    ? planVariant(planning, record, parent, {
        ...merged,
        ownStatus: status ?? before.ownStatus,
        inherits: inheritsAfter(record, before.inherits, (field) => !isSame([shown[field]], [sent[field]])),
      })
    : { state: withoutStock(merge(merged, { status })), newCategory: category.newSlug };
  if ("failure" in planned) return [planned.failure];
  const state = reducedOnly(plan, line, planned.state);
  const { newCategory } = planned;
  if (record.adjustment) plan.adjusted.push({ id: product.id, adjustment: record.adjustment });
  parents.write({ id: product.id, state, newCategory });
  const states = difference(ownShown(before), ownShown(state));
  const isChanged = Object.keys({ ...states.before, ...states.after }).length > 0 || (!parent && newCategory !== null);
  const stockDelta = state.manageStock ? stock.delta : null;
  if (isChanged) plan.changed.push({ line, product, state, newCategory, stockDelta, ...states });
  else plan.unchanged++;
  return [];
}

const ADJUSTS_NOTHING = {
  code: "not_applicable",
  message: "can adjust managed stock only. Send `quantity` to start managing the stock of a product without variants",
};

const NEEDS_ADJUSTMENT = { code: "read_only", message: "changes by `stock`, which has a reason" };

/** Fields of sold items, which a product with options does not have. */
const SOLD = ["manage_stock", "stock_quantity", "compare_at_price", "cost", "barcode"];

/** The state of a product without inherited values. */
function ownShown(state: ImportedProduct): Record<string, unknown> {
  const shown: Record<string, unknown> = stateShown(state);
  if (state.parentSku !== null) for (const name of ["category_id", "tags", ...state.inherits]) delete shown[name];
  return shown;
}

/** Drops a compare-at price that is not higher than the price, with a warning. */
function reducedOnly(plan: ProductPlan, line: number, state: ImportedProduct): ImportedProduct {
  const { price, compareAtPrice } = state;
  if (compareAtPrice === null || compareAtPrice > price) return state;
  const message = `of ${formatAmount(compareAtPrice)} is not higher than the price of ${formatAmount(price)} and was left out`;
  plan.failures.push({ line, field: "compare_at_price", code: "not_applicable", message, isWarning: true });
  return { ...state, compareAtPrice: null };
}

function freeSlug(record: ProductRecord, { slugOf, slugs }: KnownProducts): string {
  const [short, long] = slugCandidates(record, slugOf);
  return slugs.has(short) ? firstFree(long, 1, slugs) : short;
}

export const stateShown = ({ fileIds, ...row }: Omit<ImportedProduct, "parentSku">) =>
  productState({ ...row, files: fileIds.map((id) => ({ id })) });

const slugTaken = (line: number): RowFailure => ({
  line,
  field: "slug",
  code: "slug_taken",
  message: "belongs to another product",
});

/** Keeps existing files. Others are left out with a warning, because files are not imported. */
function knownFiles({ line, sent }: ProductRecord, { files }: KnownProducts, failures: RowFailure[]) {
  const ids = sent.file_ids;
  if (!Array.isArray(ids)) return {};
  const missing = ids.filter((id) => Number.isInteger(id) && !files.has(id));
  for (const id of missing) {
    const message = `file ${id} does not exist and is left out`;
    failures.push({ line, field: "file_ids", code: "unknown_reference", message, isWarning: true });
  }
  return { file_ids: ids.filter((id) => !missing.includes(id)) };
}
