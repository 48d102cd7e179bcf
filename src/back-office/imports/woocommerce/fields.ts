import { markdownOfHtml } from "../../../domain/html-markdown.ts";
import type { OptionValue } from "../../../domain/option-values.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { numberIn } from "../reading/numbers.ts";
import {
  type Cells,
  type ColumnMapping,
  type ColumnNames,
  isTrue,
  numberOrNull,
  priceOrNull,
  stockIn,
} from "../third-party/columns.ts";
import { type DateOrder, datesIn, orderIn, parseDay } from "./dates.ts";

/** Columns of WooCommerce's product CSV that are imported, with their English names. */
export const wooNames = {
  id: ["ID"],
  type: ["Type"],
  sku: ["SKU"],
  barcode: ["GTIN, UPC, EAN, or ISBN", "GTIN"],
  name: ["Name"],
  published: ["Published"],
  visibility: ["Visibility in catalog"],
  shortDescription: ["Short description"],
  description: ["Description"],
  saleStarts: ["Date sale price starts"],
  saleEnds: ["Date sale price ends"],
  taxStatus: ["Tax status"],
  taxClass: ["Tax class"],
  inStock: ["In stock?"],
  stock: ["Stock"],
  lowStock: ["Low stock amount"],
  backorders: ["Backorders allowed?"],
  weight: ["Weight (kg)", "Weight (g)", "Weight (lbs)", "Weight (oz)"],
  cost: ["Cost of goods", "Cost of goods sold", "Meta: _wc_cog_cost"],
  salePrice: ["Sale price"],
  regularPrice: ["Regular price"],
  categories: ["Categories"],
  brands: ["Brands"],
  tags: ["Tags"],
  images: ["Images"],
  downloadLimit: ["Download limit"],
  downloadDays: ["Download expiry days", "Download expiry"],
  parent: ["Parent"],
} as const satisfies ColumnNames<string>;
export type WooColumn = keyof typeof wooNames;

export const wooPrices = { salePrice: wooNames.salePrice, regularPrice: wooNames.regularPrice, cost: wooNames.cost };

/** The columns that hold numbers. */
export const wooNumbers = {
  ...wooPrices,
  stock: wooNames.stock,
  lowStock: wooNames.lowStock,
  weight: wooNames.weight,
  downloadLimit: wooNames.downloadLimit,
  downloadDays: wooNames.downloadDays,
};

/** The column named in an error of a field. */
export const wooFields = {
  sku: "sku",
  name: "name",
  description: "description",
  price: "regularPrice",
  compare_at_price: "regularPrice",
  cost: "cost",
  brand: "brands",
  barcode: "barcode",
  category: "categories",
  tags: "tags",
  weight_grams: "weight",
  stock_quantity: "stock",
  low_stock_threshold: "lowStock",
  download_limit: "downloadLimit",
  download_days: "downloadDays",
  images: "images",
  parent_sku: "parent",
} as const satisfies Record<string, WooColumn>;

/** Attributes become options of products with variations. Those of other products are not imported. */
export const ATTRIBUTE = /^attribute \d+ (value\(s\)|name|visible|global|default)$/;
export const ATTRIBUTE_VALUE = /^attribute (\d+) value\(s\)$/;

type WooCells = Cells<WooColumn>;

/** A downloadable product is a file, and any other that is not shipped is a service. */
export function typeFields(types: readonly string[]) {
  const isVirtual = types.includes("virtual");
  const type = types.includes("downloadable") ? "digital" : isVirtual ? "service" : "physical";
  return { type, requires_shipping: !isVirtual } as const;
}

/** Private products and those hidden in the catalogue become drafts. */
export function statusOf(cells: WooCells): "active" | "draft" | undefined {
  const published = cells("published");
  if (published === undefined) return undefined;
  return isTrue(published) && cells("visibility")?.toLowerCase() !== "hidden" ? "active" : "draft";
}

/** Puts the short description above the long one. */
export function descriptionOf(cells: WooCells): string | undefined {
  const parts = [cells("shortDescription"), cells("description")];
  if (parts.every((part) => part === undefined)) return undefined;
  return parts
    .map((part) => markdownOfHtml(linesIn(part ?? "")))
    .filter((part) => part !== "")
    .join("\n\n");
}

const TAX_CLASSES: ReadonlyMap<string, string> = new Map([
  ["", "standard"],
  ["standard", "standard"],
  ["reduced-rate", "reduced"],
  ["zero-rate", "zero"],
]);

/** The tax class. Undefined if this shop does not have it. A variation's class "parent" means that of its product. */
export function taxClassOf(cells: WooCells, parent: string | undefined): string | undefined {
  const [status, name] = [cells("taxStatus") ?? "taxable", cells("taxClass") ?? ""].map((cell) => cell.toLowerCase());
  if (status === "none" || status === "shipping") return "exempt";
  return name === "parent" ? parent : TAX_CLASSES.get((name ?? "").replaceAll(/\s+/g, "-"));
}

/** Weight in grams, whatever the shop's unit. */
export function weightOf(columns: ColumnMapping<WooColumn>, cells: WooCells): number | string | null {
  const weight = numberOrNull(cells("weight") ?? "");
  return typeof weight === "number" ? Math.round(weight * gramsOf(columns.nameOf("weight") ?? "")) : weight;
}

/** Parses a download limit. -1 means unlimited. */
export function limitIn(cell: string | undefined): number | string | null {
  const limit = numberIn(cell ?? "");
  return limit === "" || (typeof limit === "number" && limit <= 0) ? null : limit;
}

/** Splits a comma-separated cell. A comma within a value is preceded by a backslash. */
export const listIn = (cell: string): string[] =>
  cell
    .split(/(?<!\\),/)
    .map((value) => value.replaceAll("\\,", ",").trim())
    .filter((value) => value !== "");

/** Exports write a line break as the two characters `\n`, and a literal `\n` with one more backslash. */
export const linesIn = (cell: string): string =>
  cell
    .split("\\\\n")
    .map((part) => part.replaceAll("\\n", "\n"))
    .join("\\n");

/** The most specific category, or the first of several, because a product has only one. */
export function mostSpecific(categories: string[]): string | undefined {
  const depthOf = (path: string) => path.split(">").length;
  return categories.reduce<string | undefined>(
    (best, each) => (best === undefined || depthOf(each) > depthOf(best) ? each : best),
    undefined,
  );
}

/** True if a category contains more than the information that the other is below it. */
export const saysMore = (category: string, chosen: string): boolean =>
  category !== chosen && !chosen.startsWith(`${category} > `);

const GRAMS: Readonly<Record<string, number>> = { g: 1, kg: 1000, oz: 28.349523125, lbs: 453.59237 };

/** Grams per unit, from a column name such as "Weight (kg)". */
export const gramsOf = (column: string): number => GRAMS[/\((\w+)\)/.exec(column)?.[1]?.toLowerCase() ?? ""] ?? 1;

type Warn = (key: "stock" | "backorders", message: string) => RowFailure;
type StockFields = {
  manage_stock: boolean;
  stock_quantity: number | string | null;
  low_stock_threshold: number | string | null;
  warnings: RowFailure[];
};

/**
 * Stock without a number is not counted unless it is zero. Neither is stock that allows backorders. Variations that
 * share their parent's stock each get all of it.
 */
export function stockFields(cells: WooCells, parentStock: string | undefined, warn: Warn): StockFields {
  const sharesStock = cells("stock")?.toLowerCase() === "parent";
  const stock = (sharesStock ? parentStock : cells("stock")) ?? "";
  const low = numberOrNull(cells("lowStock") ?? "");
  const uncounted = { manage_stock: false, stock_quantity: null, low_stock_threshold: low };
  if (stock === "") {
    const isSoldOut =
      cells("inStock") !== undefined && !isTrue(cells("inStock")) && cells("inStock")?.toLowerCase() !== "backorder";
    if (!isSoldOut) return { ...uncounted, warnings: [] };
    return { ...uncounted, manage_stock: true, stock_quantity: 0, warnings: [] };
  }
  if (/^(1|yes|notify)$/i.test(cells("backorders") ?? "")) {
    const message = `are allowed, so the stock of ${stockIn(stock)} is not tracked`;
    return { ...uncounted, warnings: [warn("backorders", message)] };
  }
  const shared = "is shared by the variations. Each variation was given this stock";
  return {
    manage_stock: true,
    stock_quantity: stockIn(stock),
    low_stock_threshold: low,
    warnings: sharesStock ? [warn("stock", shared)] : [],
  };
}

export type WooRow = {
  line: number;
  cells: WooCells;
  types: string[];
  attributes: OptionValue[];
  columns: ColumnMapping<WooColumn>;
  now: number;
  /** The order of day and month that the dates in the file prove. */
  dateOrder: DateOrder | null;
};

type Prices = { price?: number | string; compare_at_price: number | string | null };
type Sale = { prices: Prices; problems: RowFailure[] };

const dateColumns = ["saleStarts", "saleEnds"] as const satisfies WooColumn[];

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** True if a sale is current with its dates read in an order. Either date may be missing. */
function isUnderWay({ cells, now }: WooRow, order: DateOrder): boolean {
  const [from = "", to = "9999"] = dateColumns.map((key) => parseDay(cells(key) ?? "", order) ?? undefined);
  const day = dayOf(now);
  return from <= day && day <= to;
}

/** The order of the dates in a row, if one of them proves it. */
export const orderOf = ({ cells }: WooRow): DateOrder | null =>
  dateColumns.map((key) => orderIn(cells(key) ?? "")).find((order) => order !== null) ?? null;

/** True if the current sale depends on the order of day and month, which the row does not prove. */
export const isUndecided = (row: WooRow): boolean =>
  (row.cells("salePrice") ?? "") !== "" &&
  orderOf(row) === null &&
  isUnderWay(row, "day first") !== isUnderWay(row, "month first");

/** The current price: the sale's within its dates, with the regular price as compare-at price. */
export function saleOf(row: WooRow): Sale {
  const { cells } = row;
  const [regular, sale] = [priceOrNull(cells("regularPrice") ?? ""), priceOrNull(cells("salePrice") ?? "")];
  const usual: Prices = { ...(regular !== null && { price: regular }), compare_at_price: null };
  if (sale === null) return { prices: usual, problems: [] };
  const unreadable = dateColumns.filter((key) => (cells(key) ?? "") !== "" && datesIn(cells(key) ?? "").length === 0);
  if (unreadable.length > 0)
    return {
      prices: usual,
      problems: unreadable.map((key) =>
        problem(row, key, "invalid_format", "is not a readable date. Write it like 2026-12-24"),
      ),
    };
  const order = orderOf(row) ?? row.dateOrder;
  if (order === null && isUndecided(row)) return { prices: usual, problems: ambiguous(row) };
  const isOn = isUnderWay(row, order ?? "day first");
  if (!isOn) return { prices: usual, problems: startsLater(row, order ?? "day first") };
  if (typeof sale === "number" && typeof regular === "number" && sale >= regular) {
    const message = `is not below the regular price of ${regular}, which is used`;
    return { prices: usual, problems: [{ ...problem(row, "salePrice", "not_applicable", message), isWarning: true }] };
  }
  return { prices: { price: sale, compare_at_price: regular }, problems: [] };
}

const problem = ({ line, columns }: WooRow, key: WooColumn, code: string, message: string): RowFailure => ({
  line,
  code,
  message,
  field: columns.nameOf(key) ?? "",
});

function ambiguous(row: WooRow): RowFailure[] {
  return dateColumns.flatMap((key) => {
    const dates = datesIn(row.cells(key) ?? "");
    if (dates.length < 2) return [];
    return [problem(row, key, "invalid_format", `can be ${dates.join(" or ")}. Write it as year-month-day`)];
  });
}

function startsLater(row: WooRow, order: DateOrder): RowFailure[] {
  const start = parseDay(row.cells("saleStarts") ?? "", order);
  if (start === null || start <= dayOf(row.now)) return [];
  const message = `is in the future. The sale from ${start} on is not imported`;
  return [{ ...problem(row, "saleStarts", "not_applicable", message), isWarning: true }];
}
