import { MAX_PRODUCT_IMAGES } from "../../../catalogue/products/public.ts";
import type { JobFailure } from "../../../platform/jobs/kind.ts";
import type { ImportRecord } from "../reading/record.ts";
import type { Columns } from "../third-party/columns.ts";
import { lineOfText } from "../third-party/html-text.ts";
import type { Picture } from "../third-party/pictures.ts";
import { categoryName, variantName } from "../third-party/values.ts";
import { listIn, mostSpecific, saysMore } from "./cells.ts";
import {
  descriptionOf,
  limitIn,
  priceFields,
  statusOf,
  taxClassOf,
  typeFields,
  type WooCells,
  weightOf,
} from "./fields.ts";
import type { WooColumn } from "./names.ts";
import type { Parent } from "./parents.ts";
import { stockFields } from "./stock.ts";

export type WooRow = {
  line: number;
  cells: WooCells;
  types: string[];
  /** The values of its attributes. */
  attributes: string[];
  columns: Columns<WooColumn>;
  now: number;
};

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

/** A product, or a variation with what it has from its parent. */
export function recordOf(row: WooRow, parent: Parent | null): ImportRecord {
  const { line, cells, columns } = row;
  const { warnings, ...stock } = stockFields(cells, parent?.stock, (key, message) => warning(row, key, message));
  const taxClass = taxClassOf(cells, parent?.taxClass);
  if (taxClass === undefined) warnings.push(warning(row, "taxClass", "is none of this shop: it is taxed as standard"));
  if (!parent && row.attributes.length > 0) columns.leaveOut("Attributes");
  const prices = priceFields(cells, row.now);
  const own = picturesOf(row);
  const weight = weightOf(columns, cells);
  const category = categoryOf(row) ?? parent?.category;
  const description = descriptionOf(cells) || parent?.description;
  const status = parent?.status === "draft" ? "draft" : statusOf(cells);
  return {
    line,
    fields: {
      sku: skuOf(row, parent),
      ...typeFields(row.types),
      ...prices,
      ...stock,
      name: nameOf(row, parent) || undefined,
      ...(status && { status }),
      ...(description !== undefined && { description }),
      ...(category !== undefined && { category }),
      ...(columns.nameOf("weight") && { weight_grams: weight ?? parent?.weight ?? null }),
      tax_class: taxClass ?? "standard",
      ...(columns.nameOf("downloadLimit") && { download_limit: limitIn(cells("downloadLimit")) }),
      ...(columns.nameOf("downloadDays") && { download_days: limitIn(cells("downloadDays")) }),
    },
    ...(columns.nameOf("images") && { pictures: own.length > 0 ? own : (parent?.pictures ?? []) }),
    ...(prices.compare_at_price !== null && { columns: { price: columns.nameOf("salePrice") ?? "" } }),
    ...(warnings.length > 0 && { warnings }),
  };
}

function warning({ line, columns }: WooRow, key: WooColumn, message: string): JobFailure {
  return { line, field: columns.nameOf(key) ?? "", code: "not_applicable", message, isWarning: true };
}

/** One that every import of the file finds again. */
function skuOf({ cells, attributes }: WooRow, parent: Parent | null): string {
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
