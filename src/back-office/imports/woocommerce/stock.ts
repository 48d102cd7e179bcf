import type { JobFailure } from "../../../platform/jobs/kind.ts";
import { isTrue, numberOrNull, stockIn } from "../third-party/values.ts";
import type { WooCells } from "./fields.ts";

type Warn = (key: "stock" | "backorders", message: string) => JobFailure;
type StockFields = {
  manage_stock: boolean;
  stock_quantity: number | string | null;
  low_stock_threshold: number | string | null;
  warnings: JobFailure[];
};

/**
 * Stock without a number is not counted unless it is zero. Stock that allows backorders is not counted either. Variations
 * that share their parent's stock each get all of it.
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
    const message = `are allowed: the stock of ${stockIn(stock)} is not counted here`;
    return { ...uncounted, warnings: [warn("backorders", message)] };
  }
  const shared = "is shared by the variations. Each variation was given this stock";
  return {
    ...{ manage_stock: true, stock_quantity: stockIn(stock), low_stock_threshold: low },
    warnings: sharesStock ? [warn("stock", shared)] : [],
  };
}
