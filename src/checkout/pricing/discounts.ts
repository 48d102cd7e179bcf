import { distribute, scaled, sum } from "./rounding.ts";
import type { BuyerHistory, Discount, Line } from "./types.ts";

const WHOLE = 1_000_000;

/** Whether a discount covers a product. */
const covers = ({ productIds, categoryIds }: Discount, { productId, categoryId }: Line): boolean =>
  (productIds.length === 0 && categoryIds.length === 0) ||
  productIds.includes(productId) ||
  (categoryId !== null && categoryIds.includes(categoryId));

/** What each line loses by a discount, of what the discounts before it left. Free shipping takes nothing off lines. */
export function reductions(discount: Discount, lines: readonly Line[], left: readonly number[]): number[] {
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

/** Of every x + y units that a discount covers, y are reduced: those of which the least is left to pay. */
function cheapestUnits(discount: Discount, lines: readonly Line[], left: readonly number[]): number[] {
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

/** Whether a discount has anything to reduce in these lines: enough units of what it covers, and of its least subtotal. */
export function isFor(discount: Discount, lines: readonly Line[]): boolean {
  const covered = lines.filter((line) => covers(discount, line));
  const units = sum(covered.map(({ quantity }) => quantity));
  const subtotal = sum(lines.map(({ quantity, unitPrice }) => quantity * unitPrice));
  const needed = discount.kind === "buy_x_get_y" ? (discount.buyQuantity ?? 0) + (discount.getQuantity ?? 0) : 1;
  return units >= needed && subtotal >= (discount.minimumSubtotal ?? 0);
}

/** The order in which discounts apply. */
const inOrder = (discounts: readonly Discount[]): Discount[] =>
  discounts.toSorted((a, b) => a.priority - b.priority || a.id - b.id);

/**
 * The sets of discounts that may apply together: all that combine, each that does not alone, and none, since one may cost more
 * than it takes off where shipping is free from an amount on.
 */
export function combinations(discounts: readonly Discount[]): [Discount[], ...Discount[][]] {
  const together = inOrder(discounts.filter(({ combinable }) => combinable));
  const alone = inOrder(discounts.filter(({ combinable }) => !combinable)).map((discount) => [discount]);
  return together.length === 0 ? [together, ...alone] : [together, ...alone, []];
}

/** Why a discount is not for an order. */
export type Inapplicable = "not_current" | "used_up" | "first_order_only" | "not_for_these_items";

/**
 * Why a discount does not apply to these lines now; undefined when it does. Without the buyer's history it is taken to allow
 * it: the database holds the same rules and refuses the order.
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

/** Whether a discount depends on who buys. */
export const dependsOnBuyer = ({ firstOrderOnly, maxUsesPerCustomer }: Discount): boolean =>
  firstOrderOnly || maxUsesPerCustomer !== null;
