import { WHOLE } from "../../domain/percent.ts";
import { distribute, scaled, sum } from "../../domain/rounding.ts";
import type { AnyDiscount, BuyerHistory, Discount, Line } from "./types.ts";

/** Gift cards are money: no discount covers them, and they count towards no minimum amount. */
export const isGiftCard = ({ type }: Pick<Line, "type">): boolean => type === "gift_card";

const covers = (
  { appliesTo, productIds, categoryIds }: Pick<Discount, "appliesTo" | "productIds" | "categoryIds">,
  { type, productId, parentId, categoryId, renews }: Line,
): boolean =>
  !isGiftCard({ type }) &&
  // The provider would take a discount off each renewal.
  renews === null &&
  (appliesTo === "all_products" ||
    productIds.includes(productId) ||
    (parentId !== null && productIds.includes(parentId)) ||
    (categoryId !== null && categoryIds.includes(categoryId)));

/**
 * Returns how much a discount takes off each line, given what earlier discounts left. Free shipping takes nothing off lines.
 */
export function reductions(discount: AnyDiscount, lines: readonly Line[], left: readonly number[]): number[] {
  const covered = lines.map((line, index) => (covers(discount, line) ? (left[index] ?? 0) : 0));
  const all = sum(covered);
  switch (discount.kind) {
    case "percentage":
      return distribute(scaled(all, discount.percent ?? 0, WHOLE), covered);
    case "amount":
      return distribute(Math.min(discount.amount ?? 0, all), covered);
    case "buy_x_get_y":
      return cheapestUnits(discount, lines, left);
    case "free_shipping":
      return lines.map(() => 0);
  }
}

/** Reduces y out of every x + y covered units, choosing those with the least left to pay. */
function cheapestUnits(discount: AnyDiscount, lines: readonly Line[], left: readonly number[]): number[] {
  const { buyQuantity, getQuantity, percent } = discount;
  const group = (buyQuantity ?? 0) + (getQuantity ?? 0);
  const covered = lines.flatMap((line, index) =>
    covers(discount, line) ? [{ quantity: line.quantity, amount: left[index] ?? 0, index }] : [],
  );
  const units = sum(covered.map(({ quantity }) => quantity));
  let free = group > 0 ? Math.floor(units / group) * (getQuantity ?? 0) : 0;
  const off = lines.map(() => 0);
  for (const { index, quantity, amount } of covered.toSorted((a, b) => a.amount / a.quantity - b.amount / b.quantity)) {
    const reduced = Math.min(quantity, free);
    off[index] = scaled(amount, reduced * (percent ?? WHOLE), quantity * WHOLE);
    free -= reduced;
  }
  return off;
}

/** Returns true if the lines have enough covered units and reach the discount's minimum subtotal. */
export function isFor(discount: Discount, lines: readonly Line[]): boolean {
  const covered = lines.filter((line) => covers(discount, line));
  const units = sum(covered.map(({ quantity }) => quantity));
  const subtotal = sum(
    lines.filter((line) => !isGiftCard(line)).map(({ quantity, unitPrice }) => quantity * unitPrice),
  );
  const needed = discount.kind === "buy_x_get_y" ? (discount.buyQuantity ?? 0) + (discount.getQuantity ?? 0) : 1;
  return units >= needed && subtotal >= (discount.minimumSubtotal ?? 0);
}

/** Sorts discounts into the order in which they apply. */
const inOrder = (discounts: readonly Discount[]): Discount[] =>
  discounts.toSorted((a, b) => a.priority - b.priority || a.id - b.id);

/**
 * Returns the sets of discounts that may apply together: all combinable ones, each other one alone, and none, because a
 * discount may cost more than it saves where shipping is free above an amount.
 */
export function combinations(discounts: readonly Discount[]): [Discount[], ...Discount[][]] {
  const together = inOrder(discounts.filter(({ combinable }) => combinable));
  const alone = inOrder(discounts.filter(({ combinable }) => !combinable)).map((discount) => [discount]);
  return together.length === 0 ? [together, ...alone] : [together, ...alone, []];
}

/** Why a discount does not apply to an order. */
export type Inapplicable = "not_current" | "used_up" | "first_order_only" | "not_for_these_items";

/**
 * Returns why a discount does not apply to these lines now, or undefined if it does. Without the buyer's history, the
 * discount is assumed to apply: the database enforces the rules and refuses the order.
 */
export function inapplicable(
  discount: Discount,
  lines: readonly Line[],
  history: BuyerHistory | undefined,
  now: number,
): Inapplicable | undefined {
  const { enabled, startsAt, endsAt, maxUses, maxUsesPerCustomer, uses, firstOrderOnly } = discount;
  if (!enabled || (startsAt !== null && startsAt > now) || (endsAt !== null && endsAt <= now)) return "not_current";
  if (maxUses !== null && uses >= maxUses) return "used_up";
  if (maxUsesPerCustomer !== null && (history?.uses.get(discount.id) ?? 0) >= maxUsesPerCustomer) return "used_up";
  if (firstOrderOnly && history?.hasOrdered) return "first_order_only";
  return isFor(discount, lines) ? undefined : "not_for_these_items";
}

export const dependsOnBuyer = ({ firstOrderOnly, maxUsesPerCustomer }: Discount): boolean =>
  firstOrderOnly || maxUsesPerCustomer !== null;
