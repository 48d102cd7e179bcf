import type { FieldError } from "../../../domain/errors.ts";
import { minutesToPay, settingsOf } from "../../../domain/payment-methods.ts";
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
import { methodErrors, pricingErrors, totalChanged } from "./pricing-errors.ts";

/** A priced checkout, and the reasons why it cannot be ordered at that price. */
export type PricedCheckout = { pricing: Pricing; taxExemptReason: string | null; problems: FieldError[] };

/** A priced order. The price is valid as long as the facts it was calculated from. */
export type PricedOrder = OrderDraft &
  PricedCheckout & {
    facts: PricingFacts;
    /** In minor units. */
    total: number;
    /** True if the payment method charges immediately or the order costs nothing. */
    paid: boolean;
    /** True if the order, unpaid, goes on at once if it has something to ship. */
    shipsBeforePayment: boolean;
    /** Time until which the order is to be paid. Null if an order by staff has no such time. */
    expiresAt: number | null;
    /** The payment opened at the provider. Null if the method has no enabled provider. */
    payment: OpenedPayment | null;
  };

/** Stands in for a product that does not exist, or whose facts do not matter. */
const ANY_PRODUCT: ProductFacts = {
  type: "physical",
  requiresShipping: false,
  categoryId: null,
  taxClass: "standard",
  weightGrams: null,
  parentId: null,
};

export function priceCheckout(draft: CheckoutDraft, facts: PricingFacts): PricedCheckout {
  const { rules, products, history, accountExemption } = facts;
  const lines: Line[] = draft.lines.map((line) => ({
    ...(line.kept?.facts ?? products.get(line.productId) ?? ANY_PRODUCT),
    ...line,
  }));
  const taxExemptReason = draft.taxExemptReason ?? accountExemption;
  const pricing = priceBasket(rules, {
    lines,
    shipTo: placeFor(draft.shippingAddress, facts),
    billTo: placeFor(draft.billingAddress, facts),
    shippingMethodId: draft.shippingMethodId,
    customShipping: draft.customShipping,
    manualDiscount: draft.manualDiscount,
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
  const minutes = draft.byStaff ? draft.byStaff.minutesToPay : minutesToPay(facts.rules.payments, draft.paymentMethod);
  return {
    ...draft,
    ...priced,
    problems: [
      ...priced.problems,
      ...totalChanged(draft.expectedTotal, priced.pricing),
      ...(draft.byStaff ? [] : methodErrors(draft, facts.rules, { method: draft.paymentMethod, total })),
    ],
    facts,
    total,
    paid: draft.byStaff?.paid || minutes === 0 || total === 0,
    shipsBeforePayment: settingsOf(facts.rules.payments, draft.paymentMethod).ship_before_payment,
    expiresAt: minutes === null ? null : draft.now + minutes * 60_000,
    payment: null,
  };
}

const discountsOf = ({ discountCodes }: CheckoutDraft, { discounts }: PricingFacts): Discount[] =>
  [...new Set(discountCodes)].flatMap((code) => discounts.get(code) ?? []);

const placeFor = (address: OrderAddress, facts: PricingFacts): Place | null =>
  placeOf(facts.rules, addressOf(address, facts));
