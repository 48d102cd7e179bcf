import type { ProductRow, ProductUpdate } from "../../../catalogue/products/public.ts";

type Stock = { columns: Pick<ProductRow, "manageStock" | "stockQuantity">; delta: number | null };

/** The reason a row's stock value cannot be applied. */
export class StockProblem {
  readonly words: { code: string; message: string };
  constructor(code: string, message: string) {
    this.words = { code, message };
  }
}

/**
 * Returns a product's stock after the row. Stock already managed moves by the adjustment `delta`, so that concurrent sales
 * are not lost.
 */
export function stockAfter(product: ProductRow, { manage_stock, stock_quantity }: ProductUpdate): Stock | StockProblem {
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
