import { MAX_PRODUCT_IMAGES } from "../../../catalogue/products/public.ts";
import { lineOfText, markdownOfHtml } from "../../../domain/html-markdown.ts";
import type { OptionValue } from "../../../domain/option-values.ts";
import { MAX_TAGS } from "../../../domain/tags.ts";
import { UnitPricingInput } from "../../../domain/unit-pricing.ts";
import type { ProductOption } from "../../../platform/db/schema.ts";
import { isSame } from "../../../platform/db/statements.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { numberIn } from "../reading/numbers.ts";
import type { ImportRecord } from "../reading/record.ts";
import {
  addValues,
  barcodeIn,
  type Cells,
  type ColumnMapping,
  categoryPathIn,
  isTrue,
  numberOrNull,
  type Picture,
  priceOrNull,
  stockIn,
  tagsIn,
} from "../third-party/columns.ts";
import type { SharedSkus, ShopifyColumn } from "./names.ts";

type ProductCells = Cells<ShopifyColumn>;
type Variant = { line: number; cells: ProductCells };

/** The rows of a product. Its own cells are those of the first row. */
export type ProductRows = {
  handle: string;
  product: ProductCells;
  variants: Variant[];
  pictures: (Picture & { position: number })[];
};

/** Shopify's option value for a product without variants. */
const NO_OPTION = "default title";

/** Builds the record of a product, or those of a product with options and of each of its variants. */
export function* recordsOfGroup(
  columns: ColumnMapping<ShopifyColumn>,
  group: ProductRows,
  skus: SharedSkus,
): Generator<ImportRecord> {
  const { handle, product, variants } = group;
  const shared = productFields(columns, product);
  if (isTrue(product("giftCard"))) {
    const failure = {
      field: columns.nameOf("giftCard") ?? "Gift Card",
      code: "not_applicable",
      message: NO_GIFT_CARDS,
    };
    for (const { line, cells } of variants)
      yield { line, fields: { sku: cells("sku"), name: product("title") }, failures: [{ line, ...failure }] };
    return;
  }
  const pictures = group.pictures.toSorted((a, b) => a.position - b.position).map(({ url, alt }) => ({ url, alt }));
  if (pictures.length > MAX_PRODUCT_IMAGES)
    columns.leaveOut(`${columns.nameOf("image")} (all but ${MAX_PRODUCT_IMAGES})`);
  const shown = columns.nameOf("image") !== undefined && { pictures: pictures.slice(0, MAX_PRODUCT_IMAGES) };
  const isNew = !columns.has("requiresShipping") && { ifNew: { type: "physical" } };
  const options = optionsOf(group);
  const [first] = variants;
  const common = first ? goodsFields(first.cells) : {};
  const parentSku = skus.ofProduct(handle);
  if (options.length > 0 && first)
    yield { line: first.line, fields: { sku: parentSku, ...shared, ...common, options }, ...isNew, ...shown };
  for (const { line, cells } of variants) {
    const { warnings, ...stock } = stockFields(columns, line, cells);
    const sku = skus.distinct({ sku: cells("sku") ?? "", handle, options: optionNames(cells) });
    if (sku.isMade) {
      const message = `is also the SKU of other variants. This variant was imported as ${sku.sku}`;
      warnings.push({ line, field: columns.nameOf("sku") ?? "", code: "repeated", message, isWarning: true });
    }
    const { warnings: ofBarcode, ...barcode } = barcodeIn(cells("barcode"), { line, field: columns.nameOf("barcode") });
    warnings.push(...ofBarcode);
    const sold = { sku: sku.sku, ...barcode, ...priceFields(cells), ...stock };
    const noted = warnings.length > 0 && { warnings };
    if (options.length === 0)
      yield { line, fields: { ...shared, ...goodsFields(cells, columns), ...sold }, ...isNew, ...shown, ...noted };
    else {
      const own = pictures.find(({ url }) => url === cells("variantImage")) ?? ownPicture(cells);
      const goods = Object.entries(goodsFields(cells, columns));
      const inherits = goods.flatMap(([name, value]) => (isSame([value], [Reflect.get(common, name)]) ? [name] : []));
      const variant = {
        parent_sku: parentSku,
        option_values: valuesOf(options, cells),
        inherits: [
          "name",
          "description",
          "brand",
          "seo_title",
          "seo_description",
          "condition",
          ...inherits,
          ...(own ? [] : ["images"]),
        ],
      };
      yield {
        line,
        fields: { ...Object.fromEntries(goods), ...sold, ...variant },
        ...(own && { pictures: [own] }),
        ...noted,
      };
    }
  }
}

const NO_GIFT_CARDS = "is not imported: this shop sells no gift cards";

const OPTIONS = [
  ["option1Name", "option1"],
  ["option2Name", "option2"],
  ["option3Name", "option3"],
] as const;

/** The options of a product with their values in the order of its rows. Empty for a product without variants. */
function optionsOf({ product, variants }: ProductRows): ProductOption[] {
  if (variants.every(({ cells }) => optionNames(cells).length === 0)) return [];
  return OPTIONS.flatMap(([nameKey, key], at) => {
    const values = new Map<string, string>();
    addValues(
      values,
      variants.map(({ cells }) => lineOfText(cells(key) ?? "")).filter((value) => value !== ""),
    );
    const name = lineOfText(product(nameKey) ?? "") || `Option ${at + 1}`;
    return values.size > 0 ? [{ name, values: [...values.values()] }] : [];
  });
}

/** The values of a variant. Options are identified by position, because only the first row of a product names them. */
function valuesOf(options: ProductOption[], cells: ProductCells): OptionValue[] {
  const values = OPTIONS.map(([, key]) => lineOfText(cells(key) ?? ""));
  return options.map(({ name }, at) => ({ name, value: values[at] ?? "" }));
}

const ownPicture = (cells: ProductCells): Picture | null => {
  const url = cells("variantImage");
  return url ? { url, alt: "" } : null;
};

export const optionNames = (cells: ProductCells): string[] =>
  [cells("option1"), cells("option2"), cells("option3")].filter(
    (value): value is string => value !== undefined && value !== "" && value.toLowerCase() !== NO_OPTION,
  );

/** Returns the fields shared by all variants of a product. */
function productFields(columns: ColumnMapping<ShopifyColumn>, cells: ProductCells) {
  const body = cells("body");
  const type = cells("type") ?? "";
  const taxonomy = cells("category") ?? "";
  if (type !== "" && taxonomy !== "") columns.leaveOut(columns.nameOf("category") ?? "");
  const category = categoryPathIn(type || taxonomy);
  return {
    name: lineOfText(cells("title") ?? "") || undefined,
    ...(body !== undefined && { description: textOfShopify(body) }),
    ...textFields(cells),
    ...(category !== "" && { category }),
    ...(cells("condition") && { condition: cells("condition") }),
    ...(cells("tags") !== undefined && { tags: tagsOf(columns, cells) }),
    ...statusField(cells),
  };
}

/** Brand and texts for search engines, from the columns in the file. */
function textFields(cells: ProductCells): Record<string, string | null> {
  const columnsOf = { brand: "vendor", seo_title: "seoTitle", seo_description: "seoDescription" } as const;
  return Object.fromEntries(
    Object.entries(columnsOf).flatMap(([name, key]) => {
      const cell = cells(key);
      return cell === undefined ? [] : [[name, lineOfText(cell) || null]];
    }),
  );
}

function tagsOf(columns: ColumnMapping<ShopifyColumn>, cells: ProductCells): string[] {
  const tags = tagsIn((cells("tags") ?? "").split(","));
  if (tags.length > MAX_TAGS) columns.leaveOut(`${columns.nameOf("tags")} (all but ${MAX_TAGS})`);
  return tags.slice(0, MAX_TAGS);
}

/** Line breaks have no meaning within HTML. */
const textOfShopify = (body: string): string =>
  markdownOfHtml(/<[a-z]/i.test(body) ? body.replaceAll(/\s+/g, " ") : body);

/** Archived products and those not in the online store become drafts. */
function statusField(cells: ProductCells): { status?: "active" | "draft" } {
  const [status, published] = [cells("status"), cells("published")];
  if (!status && published === undefined) return {};
  const isActive = (!status || status.toLowerCase() === "active") && (!published || isTrue(published));
  return { status: isActive ? "active" : "draft" };
}

/** Fields that a product shares with its variants. A variant has its own value where it differs. `columns` report what is left out. */
function goodsFields(cells: ProductCells, columns?: ColumnMapping<ShopifyColumn>) {
  const [grams, shipping, taxable] = [cells("grams"), cells("requiresShipping"), cells("taxable")];
  const isShipped = !shipping || isTrue(shipping);
  const weight = grams === undefined ? undefined : numberOrNull(grams);
  return {
    ...(shipping !== undefined && { type: isShipped ? "physical" : "digital", requires_shipping: isShipped }),
    ...(weight !== undefined && { weight_grams: typeof weight === "number" ? Math.round(weight) : weight }),
    ...(taxable && { tax_class: isTrue(taxable) ? "standard" : "exempt" }),
    ...unitPricingField(cells, columns),
  };
}

/** Shopify's names of units that have others here. */
const unitNames: Readonly<Record<string, string>> = { m2: "sqm", m3: "cbm", ft2: "sqft" };

/** A unit price in units that the shop does not have is left out. */
function unitPricingField(cells: ProductCells, columns?: ColumnMapping<ShopifyColumn>) {
  const quantity = (value: string | undefined, unit = "") => ({
    value: numberOrNull(value ?? ""),
    unit: unitNames[unit.toLowerCase()] ?? unit.toLowerCase(),
  });
  const measure = quantity(cells("measure"), cells("measureUnit"));
  if (cells("measure") === undefined) return {};
  if (!measure.value) return { unit_pricing: null };
  const measures = { measure, reference: quantity(cells("reference"), cells("referenceUnit")) };
  if (UnitPricingInput.safeParse(measures).success) return { unit_pricing: measures };
  columns?.leaveOut(columns.nameOf("measure") ?? "");
  return {};
}

/** A missing compare-at price may be written as 0. */
function priceFields(cells: ProductCells) {
  const price = priceOrNull(cells("price") ?? "");
  const before = cells("compareAt") === undefined ? undefined : priceOrNull(cells("compareAt") ?? "");
  return {
    ...(price !== null && { price }),
    ...(before !== undefined && { compare_at_price: before === 0 ? null : before }),
    ...(cells("cost") !== undefined && { cost: priceOrNull(cells("cost") ?? "") }),
  };
}

type StockFields = { manage_stock?: boolean; stock_quantity?: number | string | null; warnings: RowFailure[] };

/** Products that keep selling without stock are not counted. Without a quantity column, stock is left out. */
function stockFields(columns: ColumnMapping<ShopifyColumn>, line: number, cells: ProductCells): StockFields {
  const [tracker, quantity] = [cells("tracker"), cells("quantity")];
  if (tracker === undefined && quantity === undefined) return { warnings: [] };
  const isCounted = tracker === undefined ? quantity !== undefined && quantity !== "" : tracker !== "";
  if (!isCounted) return { manage_stock: false, stock_quantity: null, warnings: [] };
  if (quantity === undefined) return { warnings: [] };
  if (!/^(continue|true)$/i.test(cells("policy") ?? ""))
    return { manage_stock: true, stock_quantity: stockIn(quantity || "0"), warnings: [] };
  const field = columns.nameOf("policy") ?? "";
  const message = `is allowed, so the stock of ${numberIn(quantity)} is not tracked`;
  return {
    manage_stock: false,
    stock_quantity: null,
    warnings: [{ line, field, code: "not_applicable", message, isWarning: true }],
  };
}
