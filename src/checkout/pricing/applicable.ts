import { isFor } from "./discounts.ts";
import type { BuyerHistory, Discount, Line } from "./types.ts";

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
