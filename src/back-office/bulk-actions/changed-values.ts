import { badRequest, fieldError } from "../../domain/errors.ts";
import { MAX_MINOR } from "../../domain/money.ts";
import { WHOLE } from "../../domain/percent.ts";
import { changedTags, MAX_TAGS } from "../../domain/tags.ts";
import type { products } from "../../platform/db/schema.ts";

type Prices = Pick<typeof products.$inferSelect, "price" | "compareAtPrice">;

/** A price change in millionths, rounded to a minor unit. */
export type PriceChange = { millionths: number; compareAt: "keep" | "previous" | "none" };

/**
 * Returns a product's prices after a change, with half a minor unit rounded up. Null if the price would exceed the maximum. A
 * compare-at price that is no longer higher is removed.
 */
export function changedPrices(before: Prices, { millionths, compareAt }: PriceChange): Prices | null {
  const exact = BigInt(before.price) * BigInt(WHOLE + millionths);
  const price = Number((2n * exact + BigInt(WHOLE)) / BigInt(2 * WHOLE));
  if (price > MAX_MINOR) return null;
  const { [compareAt]: compareAtPrice } = { keep: before.compareAtPrice, previous: before.price, none: null };
  return { price, compareAtPrice: compareAtPrice !== null && compareAtPrice > price ? compareAtPrice : null };
}

/** Tags to add and to remove. */
type TagChange = { addTags?: string[] | undefined; removeTags?: string[] | undefined };

/** The tags of a row after an action adds and removes some. */
export function tagsAfter(tags: string[], { addTags, removeTags }: TagChange): string[] {
  const after = changedTags(tags, addTags, removeTags);
  if (after.length <= MAX_TAGS) return after;
  throw badRequest(fieldError("add_tags", "too_big", `would be more than ${MAX_TAGS}`, { limit: MAX_TAGS }));
}
