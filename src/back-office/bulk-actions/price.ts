import { MAX_MINOR } from "../../domain/money.ts";
import type { products } from "../../platform/db/schema.ts";

type Prices = Pick<typeof products.$inferSelect, "price" | "compareAtPrice">;

/** How prices change: by so many millionths, to a multiple of the currency's least amount. */
export type PriceChange = { millionths: number; compareAt: "keep" | "previous" | "none"; step: number };

const WHOLE = 1_000_000;

/**
 * The prices of a product once they changed, half a step rounded up; null where it would cost more than anything may. A price
 * before that is not higher any more is none.
 */
export function changedPrices(before: Prices, { millionths, compareAt, step }: PriceChange): Prices | null {
  const exact = BigInt(before.price) * BigInt(WHOLE + millionths);
  const unit = BigInt(WHOLE) * BigInt(step);
  const price = Number((2n * exact + unit) / (2n * unit)) * step;
  if (price > MAX_MINOR) return null;
  const { [compareAt]: compareAtPrice } = { keep: before.compareAtPrice, previous: before.price, none: null };
  return { price, compareAtPrice: compareAtPrice !== null && compareAtPrice > price ? compareAtPrice : null };
}
