import { MAX_PRODUCT_IMAGES } from "../../../catalogue/products/public.ts";
import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { numberIn } from "../reading/numbers.ts";
import type { ImportRecord } from "../reading/record.ts";
import type { Cells, ColumnMapping } from "../third-party/columns.ts";
import { lineOfText, textOfHtml } from "../third-party/html-text.ts";
import {
  categoryName,
  isTrue,
  numberOrNull,
  type Picture,
  priceOrNull,
  stockIn,
  variantName,
} from "../third-party/values.ts";
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

/** Makes a separate product of each variant, since this shop has no variants. */
export function* recordsOfGroup(
  columns: ColumnMapping<ShopifyColumn>,
  group: ProductRows,
  skus: SharedSkus,
): Generator<ImportRecord> {
  const { product } = group;
  const pictures = group.pictures.toSorted((a, b) => a.position - b.position).map(({ url, alt }) => ({ url, alt }));
  const shared = productFields(columns, product);
  for (const { line, cells } of group.variants) {
    if (isTrue(product("giftCard"))) {
      const field = columns.nameOf("giftCard") ?? "Gift Card";
      const failure = {
        line,
        field,
        code: "not_applicable",
        message: "is not imported: this shop sells no gift cards",
      };
      yield { line, fields: { sku: cells("sku"), name: product("title") }, failures: [failure] };
      continue;
    }
    const values = optionNames(cells);
    const own = pictures.find(({ url }) => url === cells("variantImage")) ?? ownPicture(cells);
    const shown = own ? [own] : pictures;
    if (shown.length > MAX_PRODUCT_IMAGES)
      columns.leaveOut(`${columns.nameOf("image")} (all but ${MAX_PRODUCT_IMAGES})`);
    const { warnings, ...stock } = stockFields(columns, line, cells);
    const sku = skus.distinct({ sku: cells("sku") ?? "", handle: group.handle, options: values });
    if (sku.isMade) {
      const message = `is also the SKU of other variants. This variant was imported as ${sku.sku}`;
      warnings.push({ line, field: columns.nameOf("sku") ?? "", code: "repeated", message, isWarning: true });
    }
    yield {
      line,
      fields: {
        sku: sku.sku,
        ...shared,
        ...(shared.name !== undefined && { name: variantName(shared.name, values.map(lineOfText)) }),
        ...variantFields(cells),
        ...stock,
      },
      ...(!columns.has("requiresShipping") && { ifNew: { type: "physical" } }),
      ...(columns.nameOf("image") !== undefined && { pictures: shown.slice(0, MAX_PRODUCT_IMAGES) }),
      ...(warnings.length > 0 && { warnings }),
    };
  }
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
  const category = categoryName(type || taxonomy);
  return {
    name: lineOfText(cells("title") ?? "") || undefined,
    ...(body !== undefined && { description: textOfShopify(body) }),
    ...(category !== "" && { category }),
    ...statusField(cells),
  };
}

/** Line breaks have no meaning within HTML. */
const textOfShopify = (body: string): string => textOfHtml(/<[a-z]/i.test(body) ? body.replaceAll(/\s+/g, " ") : body);

/** Archived products and those not in the online store become drafts. */
function statusField(cells: ProductCells): { status?: "active" | "draft" } {
  const [status, published] = [cells("status"), cells("published")];
  if (!status && published === undefined) return {};
  const isActive = (!status || status.toLowerCase() === "active") && (!published || isTrue(published));
  return { status: isActive ? "active" : "draft" };
}

function variantFields(cells: ProductCells) {
  const [grams, shipping, taxable] = [cells("grams"), cells("requiresShipping"), cells("taxable")];
  const isShipped = !shipping || isTrue(shipping);
  const weight = grams === undefined ? undefined : numberOrNull(grams);
  return {
    ...(shipping !== undefined && { type: isShipped ? "physical" : "digital", requires_shipping: isShipped }),
    ...priceFields(cells),
    ...(weight !== undefined && { weight_grams: typeof weight === "number" ? Math.round(weight) : weight }),
    ...(taxable && { tax_class: isTrue(taxable) ? "standard" : "exempt" }),
  };
}

/** A missing compare-at price may be written as 0. */
function priceFields(cells: ProductCells) {
  const price = priceOrNull(cells("price") ?? "");
  const before = cells("compareAt") === undefined ? undefined : priceOrNull(cells("compareAt") ?? "");
  return {
    ...(price !== null && { price }),
    ...(before !== undefined && { compare_at_price: before === 0 ? null : before }),
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
    ...{ manage_stock: false, stock_quantity: null },
    warnings: [{ line, field, code: "not_applicable", message, isWarning: true }],
  };
}
