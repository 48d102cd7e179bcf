import { MAX_PRODUCT_IMAGES } from "../../../catalogue/products/public.ts";
import type { RowFailure } from "../../../platform/jobs/kind.ts";
import type { ImportRecord } from "../reading/record.ts";
import { lineOfText } from "../third-party/html-text.ts";
import { categoryName, type Picture, variantName } from "../third-party/values.ts";
import {
  descriptionOf,
  limitIn,
  listIn,
  mostSpecific,
  saysMore,
  statusOf,
  stockFields,
  taxClassOf,
  typeFields,
  type WooRow,
  weightOf,
} from "./fields.ts";
import type { WooColumn } from "./names.ts";
import type { Parent } from "./parents.ts";
import { saleOf } from "./sale.ts";

/** A variable product, which is none here: it is what its variations have in common. */
export const parentOf = (row: WooRow): Parent => ({
  line: row.line,
  id: row.cells("id") ?? "",
  sku: row.cells("sku") ?? "",
  name: lineOfText(row.cells("name") ?? ""),
  description: descriptionOf(row.cells),
  status: statusOf(row.cells),
  category: categoryOf(row),
  pictures: picturesOf(row),
  taxClass: taxClassOf(row.cells, undefined),
  weight: weightOf(row.columns, row.cells),
  stock: row.cells("stock"),
  hasVariations: false,
});

/** Builds the record of a product, or of a variation with its parent's values. Fields without a column stay unchanged. */
export function recordOf(row: WooRow, parent: Parent | null): ImportRecord {
  const { line, cells, columns } = row;
  const { warnings, ...stock } = stockFields(cells, parent?.stock, (key, message) => warning(row, key, message));
  const taxClass = taxClassOf(cells, parent?.taxClass);
  const isTaxed = columns.has("taxStatus", "taxClass");
  if (isTaxed && taxClass === undefined)
    warnings.push(warning(row, "taxClass", "does not exist in this shop. The standard tax class was used"));
  if (!parent && row.attributes.length > 0) columns.leaveOut("Attributes");
  const { prices, problems } = saleOf(row);
  if (problems.some(({ isWarning }) => !isWarning))
    return { line, fields: { sku: cells("sku"), name: cells("name") }, failures: problems };
  warnings.push(...problems);
  const { compare_at_price: before, ...price } = prices;
  const own = picturesOf(row);
  const weight = weightOf(columns, cells);
  const category = categoryOf(row) ?? parent?.category;
  const description = descriptionOf(cells) || parent?.description;
  const status = parent?.status === "draft" ? "draft" : statusOf(cells);
  return {
    line,
    fields: {
      sku: skuOf(row, parent),
      ...(columns.has("type") && typeFields(row.types)),
      ...price,
      ...(columns.has("regularPrice") && { compare_at_price: before }),
      ...(columns.has("stock") || (columns.has("inStock") && stock.manage_stock) ? stock : {}),
      ...(columns.has("lowStock") && { low_stock_threshold: stock.low_stock_threshold }),
      name: nameOf(row, parent) || undefined,
      ...(status && { status }),
      ...(description !== undefined && { description }),
      ...(category !== undefined && { category }),
      ...(columns.has("weight") && { weight_grams: weight ?? parent?.weight ?? null }),
      ...(isTaxed && { tax_class: taxClass ?? "standard" }),
      ...(columns.has("downloadLimit") && { download_limit: limitIn(cells("downloadLimit")) }),
      ...(columns.has("downloadDays") && { download_days: limitIn(cells("downloadDays")) }),
    },
    ...(!columns.has("type") && { ifNew: { type: "physical" } }),
    ...(columns.has("images") && { pictures: own.length > 0 ? own : (parent?.pictures ?? []) }),
    ...(before !== null && { columns: { price: columns.nameOf("salePrice") ?? "" } }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * Builds the record of a variation whose parent is not in the file, from its own values only. Values that exports leave to
 * the parent stay unchanged, and a draft stays a draft.
 */
export function aloneRecordOf(row: WooRow, onlyUpdates: RowFailure): ImportRecord {
  const { fields = {}, pictures, ...record } = recordOf({ ...row, attributes: [] }, null);
  const { cells, attributes } = row;
  const left = [
    ...(fields.status === "draft" ? [] : ["status"]),
    ...(fields.weight_grams === null ? ["weight_grams"] : []),
    ...(fields.description === "" ? ["description"] : []),
    ...(cells("taxClass")?.toLowerCase() === "parent" ? ["tax_class"] : []),
    ...(cells("stock")?.toLowerCase() === "parent" ? ["manage_stock", "stock_quantity"] : []),
  ];
  const kept = Object.entries(fields).filter(([name]) => !left.includes(name));
  const name = lineOfText(cells("name") ?? "");
  const isNamed = name === "" || attributes.length === 0 || attributes.some((value) => name.includes(value));
  return {
    ...record,
    fields: {
      ...Object.fromEntries(kept),
      sku: skuOf(row, { sku: parentSkuOf(row) }),
      ...(!isNamed && { name: variantName(name, attributes.map(lineOfText)) }),
    },
    ...(pictures && pictures.length > 0 && { pictures }),
    warnings: record.warnings?.filter(
      ({ field }) => field !== row.columns.nameOf("taxClass") || cells("taxClass")?.toLowerCase() !== "parent",
    ),
    onlyUpdates,
  };
}

const parentSkuOf = ({ cells }: WooRow): string => {
  const parent = cells("parent") ?? "";
  return parent.startsWith("id:") ? "" : parent;
};

function warning({ line, columns }: WooRow, key: WooColumn, message: string): RowFailure {
  return { line, field: columns.nameOf(key) ?? "", code: "not_applicable", message, isWarning: true };
}

/** An SKU that every import of the file finds again. */
function skuOf({ cells, attributes }: WooRow, parent: Pick<Parent, "sku"> | null): string {
  const [sku, id] = [cells("sku"), cells("id")];
  if (sku) return sku;
  if (id) return `woo-${id}`;
  return parent?.sku ? [parent.sku, ...attributes].join("-") : "";
}

/** A variation's name has its attributes already, unless there are many. */
function nameOf({ cells, attributes }: WooRow, parent: Parent | null): string {
  const name = lineOfText(cells("name") ?? "");
  if (!parent) return name;
  return name === "" || name === parent.name ? variantName(parent.name, attributes.map(lineOfText)) : name;
}

function categoryOf({ cells, columns }: WooRow): string | undefined {
  const categories = listIn(cells("categories") ?? "");
  const chosen = mostSpecific(categories);
  if (chosen === undefined) return undefined;
  if (categories.some((each) => saysMore(each, chosen)))
    columns.leaveOut(`${columns.nameOf("categories")} (all but one)`);
  return categoryName(chosen);
}

function picturesOf({ cells, columns }: WooRow): Picture[] {
  const urls = listIn(cells("images") ?? "");
  if (urls.length > MAX_PRODUCT_IMAGES) columns.leaveOut(`${columns.nameOf("images")} (all but ${MAX_PRODUCT_IMAGES})`);
  return urls.slice(0, MAX_PRODUCT_IMAGES).map((url) => ({ url, alt: "" }));
}
