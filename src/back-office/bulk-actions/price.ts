import { MAX_MINOR } from "../../domain/money.ts";
import type { products } from "../../platform/db/schema.ts";

type Prices = Pick<typeof products.$inferSelect, "price" | "compareAtPrice">;

/** How prices change: by so many millionths, rounded to a minor unit. */
export type PriceChange = { millionths: number; compareAt: "keep" | "previous" | "none" };

const WHOLE = 1_000_000;

/**
 * The prices of a product once they changed, half a minor unit rounded up; null where it would cost more than anything may. A price
 * before that is not higher any more is none.
 */
export function changedPrices(before: Prices, { millionths, compareAt }: PriceChange): Prices | null {
  const exact = BigInt(before.price) * BigInt(WHOLE + millionths);
  const price = Number((2n * exact + BigInt(WHOLE)) / BigInt(2 * WHOLE));
  if (price > MAX_MINOR) return null;
  const { [compareAt]: compareAtPrice } = { keep: before.compareAtPrice, previous: before.price, none: null };
  return { price, compareAtPrice: compareAtPrice !== null && compareAtPrice > price ? compareAtPrice : null };
}
