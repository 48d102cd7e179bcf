import { type PaymentMethod, settingsOf } from "../../../domain/payment-methods.ts";
import type { CheckoutDraft, DraftLine } from "./draft.ts";
import type { PricingFacts } from "./order-state.ts";
import { priceCheckout } from "./price-order.ts";

/**
 * Value that staff give away with an order, in minor units: the total of the same items at list price, with the shop's own
 * shipping, taxes and current discounts, less the total that staff ask for. Goods that leave the shop before they are paid count
 * in full, because staff who let them go decide that a promise is enough. An edited order keeps the discounts of the time it was
 * placed, and those that have ended must not be used for new units. `unpaidBy` is the method of an order that is not paid yet.
 */
export function valueGivenAway(
  draft: CheckoutDraft,
  facts: PricingFacts,
  { now, unpaidBy }: { now: number; unpaidBy?: PaymentMethod | undefined },
): number {
  const received = unpaidBy && shipsUnpaid(draft, facts, unpaidBy) ? 0 : totalOf(draft, facts);
  return Math.max(0, totalOf({ ...withoutConcessions(draft), now }, facts) - received);
}

const shipsUnpaid = ({ lines }: CheckoutDraft, { rules, products }: PricingFacts, method: PaymentMethod): boolean =>
  settingsOf(rules.payments, method).ship_before_payment &&
  lines.some(({ productId, kept }) => (kept?.facts ?? products.get(productId))?.requiresShipping);

const totalOf = (draft: CheckoutDraft, facts: PricingFacts): number => priceCheckout(draft, facts).pricing.total;

const withoutConcessions = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  lines: draft.lines.flatMap(atListPrice),
  customShipping: undefined,
  manualDiscount: undefined,
  taxExemptReason: null,
});

/** Units that an edit adds to a line have the current list price, so that a low price of the past is not used for new units. */
function atListPrice(line: DraftLine): DraftLine[] {
  const { kept, quantity, unitPrice, listPrice = unitPrice } = line;
  const added = kept ? Math.max(0, quantity - kept.quantity) : 0;
  return [
    { ...line, quantity: quantity - added, unitPrice: listPrice },
    { ...line, quantity: added, unitPrice: Math.max(listPrice, kept?.currentPrice ?? 0) },
  ].filter((units) => units.quantity > 0);
}

/**
 * Amount that counts towards the limits of staff: money recorded as received, or refunded if `moved` is negative, and the
 * growth of the value given away. The part of a refund that is a price reduction counts once.
 */
export const amountSpent = (moved: number, growth: number): number =>
  moved < 0 ? Math.max(-moved, growth) : moved + Math.max(0, growth);
