import type { ProductChange, ProductRow } from "../../../catalogue/products/public.ts";

type Stock = { columns: Pick<ProductRow, "manageStock" | "stockQuantity">; delta: number | null };

/** Why the stock cannot be what a row says. */
export class StockProblem {
  readonly words: { code: string; message: string };
  constructor(code: string, message: string) {
    this.words = { code, message };
  }
}

/**
 * The stock of a product as a row says it. One that is managed already moves by an adjustment, so that what is sold meanwhile
 * is not lost: `delta` is by how much.
 */
export function stockAfter(product: ProductRow, { manage_stock, stock_quantity }: ProductChange): Stock | StockProblem {
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
