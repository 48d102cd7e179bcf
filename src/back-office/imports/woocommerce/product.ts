import { countCombinations, MAX_PRODUCT_IMAGES, valueCombinations } from "../../../catalogue/products/public.ts";
import { lineOfText } from "../../../domain/html-markdown.ts";
import { limits } from "../../../domain/limits.ts";
import type { OptionValue } from "../../../domain/option-values.ts";
import { MAX_TAGS } from "../../../domain/tags.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import type { ImportRecord } from "../reading/record.ts";
import { barcodeIn, categoryPathIn, madeSku, type Picture, priceOrNull, tagsIn } from "../third-party/columns.ts";
import {
  descriptionOf,
  limitIn,
  listIn,
  mostSpecific,
  saleOf,
  saysMore,
  statusOf,
  stockFields,
  taxClassOf,
  typeFields,
  type WooColumn,
  type WooRow,
  weightOf,
} from "./fields.ts";
import { type Parent, parentReferencesOf, type Variations } from "./variations.ts";

/** A variable product. Attributes used by variations become options. */
export function parentOf(row: WooRow, variations: Variations): Parent {
  const names = { id: row.cells("id") ?? "", sku: row.cells("sku") ?? "" };
  const attributes = row.attributes.map(({ name, value }) => ({ name, values: listIn(value) }));
  const options = variations.optionsOf(parentReferencesOf(names)[0] ?? "", attributes);
  if (options.length < attributes.length) row.columns.leaveOut("Attributes");
  return {
    ...names,
    importedSku: skuOf(row),
    types: row.types,
    options,
    taxClass: taxClassOf(row.cells, undefined),
    stock: row.cells("stock"),
  };
}

/** Fields of sold items, which a variable product leaves to its variations. */
const OF_VARIATIONS = ["price", "compare_at_price", "cost", "barcode", "manage_stock", "stock_quantity"];

/** Builds the record of a variable product. */
export function parentRecordOf(row: WooRow, { options }: Parent): ImportRecord {
  const { fields = {}, columns: _, ...record } = recordOf({ ...row, attributes: [] }, null);
  const kept = Object.entries(fields).filter(([name]) => !OF_VARIATIONS.includes(name));
  return { ...record, fields: { ...Object.fromEntries(kept), options } };
}

/** Builds the record of a product, or of a variation of one. Fields without a column stay unchanged. */
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
  const category = categoryOf(row);
  const description = descriptionOf(cells);
  const status = statusOf(cells);
  const { warnings: ofBarcode, ...barcode } = barcodeIn(cells("barcode"), { line, field: columns.nameOf("barcode") });
  warnings.push(...ofBarcode);
  const brand = brandOf(row);
  return {
    line,
    fields: {
      sku: skuOf(row),
      ...(columns.has("type") && typeFields(row.types)),
      ...price,
      ...(columns.has("regularPrice") && { compare_at_price: before }),
      ...(columns.has("stock") || (columns.has("inStock") && stock.manage_stock) ? stock : {}),
      ...(columns.has("lowStock") && { low_stock_threshold: stock.low_stock_threshold }),
      name: lineOfText(cells("name") ?? "") || undefined,
      ...(status && { status }),
      ...(description !== undefined && { description }),
      ...barcode,
      ...(brand !== undefined && { brand }),
      ...(columns.has("cost") && { cost: priceOrNull(cells("cost") ?? "") }),
      ...(category !== undefined && { category }),
      ...(columns.has("tags") && { tags: tagsOf(row) }),
      ...(columns.has("weight") && { weight_grams: weightOf(columns, cells) }),
      ...(isTaxed && { tax_class: taxClass ?? "standard" }),
      ...(columns.has("downloadLimit") && { download_limit: limitIn(cells("downloadLimit")) }),
      ...(columns.has("downloadDays") && { download_days: limitIn(cells("downloadDays")) }),
    },
    ...(!columns.has("type") && { ifNew: { type: "physical" } }),
    ...(columns.has("images") && { pictures: own }),
    ...(before !== null && { columns: { price: columns.nameOf("salePrice") ?? "" } }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * Builds the records of a variation. If it leaves an attribute open, it becomes a variant for each of its values
 * without a row of its own.
 */
export function variationRecordsOf(row: WooRow, parent: Parent, variations: Variations): ImportRecord[] {
  const { pictures = [], ...record } = recordOf({ ...row, attributes: [] }, parent);
  const { line, fields = {} } = record;
  if (record.failures) return [record];
  const base = { ...record, ...(pictures.length > 0 && { pictures }) };
  const inherits = inheritedBy(row, parent, { ...fields, images: pictures });
  const chosen = parent.options.map(({ name, values }) => {
    const own = row.attributes.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value ?? "";
    return { name, values: own === "" ? values : [own], isOpen: own === "" };
  });
  const recordFor = (values: OptionValue[], sku: string): ImportRecord => ({
    ...base,
    fields: { ...fields, sku, parent_sku: parent.importedSku, option_values: values, inherits },
  });
  const count = countCombinations(chosen);
  const most = limits.VARIANTS_PER_PRODUCT;
  if (count > most) {
    const message = `is for any of ${count} combinations, and a product has at most ${most} variants`;
    const failures = [{ line, field: "Attribute 1 value(s)", code: "too_many_variants", message }];
    return [{ line, fields: { sku: fields.sku, name: fields.name }, failures }];
  }
  const isOpen = chosen.some((option) => option.isOpen);
  const own = row.cells("sku") ?? "";
  return valueCombinations(chosen).flatMap((values) => {
    if (!isOpen) return [recordFor(values, own || madeSku([parent.importedSku, ...valuesIn(values)]))];
    if (!variations.claim(referenceOf(row), values)) return [];
    const open = values.filter((_, at) => own === "" || chosen[at]?.isOpen);
    return [recordFor(values, madeSku([own || parent.importedSku, ...valuesIn(open)]))];
  });
}

const valuesIn = (values: readonly OptionValue[]): string[] => values.map(({ value }) => value);

export const referenceOf = ({ cells }: Pick<WooRow, "cells">): string => cells("parent") ?? "";

/** Fields that a variation inherits: those that are empty or equal to its product's. */
function inheritedBy({ cells, types }: WooRow, parent: Parent, fields: Record<string, unknown>): string[] {
  const own = typeFields(types);
  const common = typeFields(parent.types);
  const isLeft: Record<string, boolean> = {
    name: true,
    description: !fields.description,
    brand: !fields.brand,
    seo_title: true,
    seo_description: true,
    type: own.type === common.type,
    requires_shipping: own.requires_shipping === common.requires_shipping,
    images: Array.isArray(fields.images) && fields.images.length === 0,
    weight_grams: fields.weight_grams === null,
    tax_class: cells("taxClass")?.toLowerCase() === "parent" || fields.tax_class === (parent.taxClass ?? "standard"),
    download_limit: fields.download_limit === null,
    download_days: fields.download_days === null,
  };
  return Object.keys(isLeft).filter((name) => isLeft[name]);
}

/**
 * Builds the record of a variation whose product is not in the file. Values inherited in the export stay unchanged, and
 * a draft stays a draft.
 */
export function aloneRecordOf(row: WooRow, onlyUpdates: RowFailure): ImportRecord {
  const { fields = {}, pictures, ...record } = recordOf({ ...row, attributes: [] }, null);
  const { cells, attributes } = row;
  const left = [
    "name",
    ...(fields.status === "draft" ? [] : ["status"]),
    ...(fields.weight_grams === null ? ["weight_grams"] : []),
    ...["description", "tags"].filter((name) => fields[name]?.toString() === ""),
    ...(fields.brand === null ? ["brand"] : []),
    ...(cells("taxClass")?.toLowerCase() === "parent" ? ["tax_class"] : []),
    ...(cells("stock")?.toLowerCase() === "parent" ? ["manage_stock", "stock_quantity"] : []),
    ...["download_limit", "download_days"].filter((name) => fields[name] === null),
  ];
  const kept = Object.entries(fields).filter(([name]) => !left.includes(name));
  const parentSku = referenceOf(row).replace(/^id:/, "woo-");
  const isWhole = attributes.length > 0 && attributes.every(({ value }) => value !== "");
  return {
    ...record,
    fields: {
      ...Object.fromEntries(kept),
      sku: cells("sku") || madeSku([parentSku, ...valuesIn(attributes)]),
      ...(parentSku !== "" && isWhole && { parent_sku: parentSku, option_values: attributes }),
    },
    ...(pictures && pictures.length > 0 && { pictures }),
    warnings: record.warnings?.filter(
      ({ field }) => field !== row.columns.nameOf("taxClass") || cells("taxClass")?.toLowerCase() !== "parent",
    ),
    onlyUpdates,
  };
}

function warning({ line, columns }: WooRow, key: WooColumn, message: string): RowFailure {
  return { line, field: columns.nameOf(key) ?? "", code: "not_applicable", message, isWarning: true };
}

/** An SKU that every import of the file computes again. */
function skuOf({ cells }: WooRow): string {
  const [sku, id] = [cells("sku"), cells("id")];
  return sku || (id ? `woo-${id}` : "");
}

function categoryOf({ cells, columns }: WooRow): string | undefined {
  const categories = listIn(cells("categories") ?? "");
  const chosen = mostSpecific(categories);
  if (chosen === undefined) return undefined;
  if (categories.some((each) => saysMore(each, chosen)))
    columns.leaveOut(`${columns.nameOf("categories")} (all but one)`);
  return categoryPathIn(chosen);
}

function tagsOf({ cells, columns }: WooRow): string[] {
  const tags = tagsIn(listIn(cells("tags") ?? ""));
  if (tags.length > MAX_TAGS) columns.leaveOut(`${columns.nameOf("tags")} (all but ${MAX_TAGS})`);
  return tags.slice(0, MAX_TAGS);
}

function brandOf({ cells, columns }: WooRow): string | null | undefined {
  const brands = cells("brands");
  if (brands === undefined) return undefined;
  const [first, ...others] = listIn(brands).map(lineOfText);
  if (others.length > 0) columns.leaveOut(`${columns.nameOf("brands")} (all but one)`);
  return first || null;
}

function picturesOf({ cells, columns }: WooRow): Picture[] {
  const urls = listIn(cells("images") ?? "");
  if (urls.length > MAX_PRODUCT_IMAGES) columns.leaveOut(`${columns.nameOf("images")} (all but ${MAX_PRODUCT_IMAGES})`);
  return urls.slice(0, MAX_PRODUCT_IMAGES).map((url) => ({ url, alt: "" }));
}
