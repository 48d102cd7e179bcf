import { limits } from "../../../domain/limits.ts";
import type { CheckoutDraft } from "./draft.ts";

// What orders may hold that wait to be paid. The database refuses more (order_no_excess_pending, unpaid_order_no_excess_stock).

type Buyer = Pick<CheckoutDraft, "userId" | "apiKeyId" | "customer">;

/** Guests of an API key who leave no e-mail address are counted together, and may hold more together. */
const isNobody = ({ userId, customer }: Buyer): boolean => userId === null && customer === undefined;

const share = (buyer: Buyer): number => (isNobody(buyer) ? limits.GUESTS_WITHOUT_EMAIL_FACTOR : 1);

/** Who holds the units of an unpaid order, as stock_allocations names them. */
export function holderOf({ userId, apiKeyId, customer }: Buyer): string {
  if (userId !== null) return `user:${userId}`;
  return customer ? `guest:${customer.email}` : `api_key:${apiKeyId}`;
}

/** How many orders of the buyer may wait to be paid. */
export const maxOrdersWaiting = (draft: CheckoutDraft): number => draft.unpaidLimits.orders * share(draft);

/** How many units the buyer may hold of a product, of which so many are left and the buyer holds some already. */
export function maxUnitsUnpaid(draft: CheckoutDraft, stock: number, held: number): number {
  const { units, percent } = draft.unpaidLimits;
  return Math.max(units, Math.floor(((stock + held) * percent) / 100)) * share(draft);
}
