import type { OptionValue } from "../../../domain/option-values.ts";
import type { RowFailure } from "../../../platform/jobs/kind.ts";
import { numberIn } from "../reading/numbers.ts";
import type { Cells, ColumnMapping } from "../third-party/columns.ts";
import { markdownOfHtml } from "../third-party/html-markdown.ts";
import { isTrue, numberOrNull, stockIn } from "../third-party/values.ts";
import type { DateOrder } from "./dates.ts";
import type { WooColumn } from "./names.ts";

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

/**
 * Exports write a line break as the letters
 * , and the letters
 * themselves with another backslash.
 */
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
    ...{ manage_stock: true, stock_quantity: stockIn(stock), low_stock_threshold: low },
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
