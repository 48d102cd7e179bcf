import type { FieldError } from "../../../domain/errors.ts";
import { paymentTerms } from "../../../domain/payment-methods.ts";
import type { OpenedPayment } from "../../payments/public.ts";
import {
  type Discount,
  inapplicable,
  type Line,
  type Place,
  type Pricing,
  type ProductFacts,
  placeOf,
  priceBasket,
} from "../../pricing/public.ts";
import type { CheckoutDraft, OrderAddress, OrderDraft } from "./draft.ts";
import { addressOf, type PricingFacts } from "./order-state.ts";
import { pricingErrors, totalChanged } from "./pricing-errors.ts";

/** A checkout with its price, and why it cannot be ordered at it. */
export type PricedCheckout = { pricing: Pricing; taxExemptReason: string | null; problems: FieldError[] };

/** An order at its price, which holds as long as the facts do that it was calculated from. */
export type PricedOrder = OrderDraft &
  PricedCheckout & {
    facts: PricingFacts;
    /** Minor units. */
    total: number;
    /** By a method that pays at once, or as it costs nothing. */
    paid: boolean;
    /** When the stock of an order that is not paid by then goes back. */
    expiresAt: number;
    /** Opened at the provider, where the method has one that is switched on. */
    payment: OpenedPayment | null;
  };

/** A product that is not there, or need not be known since nothing depends on what it is. */
const ANY_PRODUCT: ProductFacts = {
  type: "physical",
  requiresShipping: false,
  categoryId: null,
  taxClass: "standard",
  weightGrams: null,
};

export function priceCheckout(draft: CheckoutDraft, facts: PricingFacts): PricedCheckout {
  const { rules, products, history, accountExemption } = facts;
  const lines: Line[] = draft.lines.map((line) => ({ ...(products.get(line.productId) ?? ANY_PRODUCT), ...line }));
  const taxExemptReason = draft.taxExemptReason ?? accountExemption;
  const pricing = priceBasket(rules, {
    lines,
    shipTo: placeFor(draft.shippingAddress, facts),
    billTo: placeFor(draft.billingAddress, facts),
    shippingMethodId: draft.shippingMethodId,
    discounts: [...rules.discounts, ...discountsOf(draft, facts)].filter(
      (discount) => inapplicable(discount, lines, history, draft.now) === undefined,
    ),
    taxExempt: taxExemptReason !== null,
  });
  return { pricing, taxExemptReason, problems: pricingErrors(draft, facts, lines, pricing) };
}

export function priceOrder(draft: OrderDraft, facts: PricingFacts): PricedOrder {
  const priced = priceCheckout(draft, facts);
  const { total } = priced.pricing;
  const { minutesToPay } = paymentTerms[draft.paymentMethod];
  return {
    ...draft,
    ...priced,
    problems: [...priced.problems, ...totalChanged(draft.expectedTotal, priced.pricing)],
    facts,
    total,
    paid: minutesToPay === 0 || total === 0,
    expiresAt: draft.now + minutesToPay * 60_000,
    payment: null,
  };
}

const discountsOf = ({ discountCodes }: CheckoutDraft, { discounts }: PricingFacts): Discount[] =>
  [...new Set(discountCodes)].flatMap((code) => discounts.get(code) ?? []);

const placeFor = (address: OrderAddress, facts: PricingFacts): Place | null =>
  placeOf(facts.rules, addressOf(address, facts));
