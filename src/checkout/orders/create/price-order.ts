import { type FieldError, fieldError } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { minutesToPay, type PaymentMethod, settingsOf } from "../../../domain/payment-methods.ts";
import { regionCode } from "../../../domain/place.ts";
import { countryOfVatId } from "../../../domain/vat-id.ts";
import type { VatCheck } from "../../../platform/db/schema.ts";
import type { OpenedPayment } from "../../payments/public.ts";
import {
  type Discount,
  type Inapplicable,
  inapplicable,
  type Line,
  type Place,
  type PricingResult,
  type ProductFacts,
  placeOf,
  priceBasket,
  type Rules,
  regionMatters,
  zoneOf,
} from "../../pricing/public.ts";
import { exemptionWords, judgedVatCheck } from "../../taxes/public.ts";
import type { CheckoutDraft, OrderAddress, OrderDraft } from "./draft.ts";
import { addressOf, billedAddress, type PricingFacts } from "./order-state.ts";

/** A priced checkout, and the reasons why it cannot be ordered at that price. */
export type PricedCheckout = {
  pricing: PricingResult;
  taxExemptReason: string | null;
  vatCheck: VatCheck | null;
  problems: FieldError[];
};

/** A priced order. The price is valid as long as the data it was calculated from. */
export type PricedOrder = OrderDraft &
  PricedCheckout & {
    facts: PricingFacts;
    /** In minor units. */
    total: number;
    /** True if the payment method charges immediately or the order costs nothing. */
    paid: boolean;
    /** True if the order is processed before it is paid, provided that it has something to ship. */
    shipsBeforePayment: boolean;
    /** Time by which the order must be paid. Null if an order by staff has no deadline. */
    expiresAt: number | null;
    /** The payment opened at the provider. Null if the method has no enabled provider. */
    payment: OpenedPayment | null;
  };

/** Placeholder for a product that does not exist, or whose data does not matter. */
const ANY_PRODUCT: ProductFacts = {
  type: "physical",
  requiresShipping: false,
  categoryId: null,
  taxClass: "standard",
  weightGrams: null,
  parentId: null,
  renews: null,
};

export function priceCheckout(draft: CheckoutDraft, facts: PricingFacts): PricedCheckout {
  const { rules, products, history, accountExemption } = facts;
  const lines: Line[] = draft.lines.map((line) => ({
    ...(line.kept?.facts ?? products.get(line.productId) ?? ANY_PRODUCT),
    ...line,
  }));
  const exemptReason = draft.taxExemptReason ?? accountExemption;
  const vatCheck = judgedVatCheck(facts.vatCheck, billedAddress(draft, facts));
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
    taxExempt: exemptReason !== null,
    vatCountry: vatCheck?.status === "valid" ? countryOfVatId(vatCheck.vatId) : undefined,
  });
  const { homeCountry } = rules;
  const sentences = exemptionWords(pricing.taxLines, { language: draft.language ?? rules.language, homeCountry });
  const taxExemptReason = sentences ?? exemptReason;
  return { pricing, taxExemptReason, vatCheck, problems: pricingErrors(draft, facts, lines, pricing) };
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

/** Reasons why a checkout has no chargeable price: its addresses, its shipping or its codes. */
const pricingErrors = (
  draft: CheckoutDraft,
  facts: PricingFacts,
  lines: readonly Line[],
  pricing: PricingResult,
): FieldError[] => [
  ...regionErrors("shipping_address", draft.shippingAddress, facts),
  ...regionErrors("billing_address", draft.billingAddress, facts),
  ...shippingErrors(draft, facts, lines, pricing),
  ...codeErrors(draft, facts, lines),
];

/** Refuses a payment method that the shop does not offer, or does not offer to guests. A free order needs none. */
export function methodErrors(
  { userId, takesTestCards, sandbox }: CheckoutDraft,
  { payments }: Rules,
  { method, total }: { method: PaymentMethod | undefined; total: number },
): FieldError[] {
  if (method === undefined || total === 0) return [];
  const { offered, guests } = settingsOf(payments, method);
  if (sandbox && takesTestCards) return [];
  if (!offered || (method === "test_card" && !takesTestCards)) {
    return [fieldError("payment_method", "method_not_offered", `${method} is not offered. Choose another method`)];
  }
  if (guests || userId !== null) return [];
  return [fieldError("payment_method", "account_required", `${method} requires a user token`)];
}

export const totalChanged = (expected: number | null, pricing: PricingResult): FieldError[] =>
  expected === null || expected === pricing.total
    ? []
    : [
        fieldError("expected_total", "total_changed", `the order now costs ${formatAmount(pricing.total)}`, {
          subtotal: toDecimal(pricing.subtotal),
          discount_total: toDecimal(pricing.discountTotal),
          shipping_total: toDecimal(pricing.shippingTotal),
          tax_total: toDecimal(pricing.taxTotal),
          total: toDecimal(pricing.total),
        }),
      ];

/** Requires a region in addresses that name their country, if prices depend on the region. */
function regionErrors(name: string, sent: OrderAddress, facts: PricingFacts): FieldError[] {
  const address = addressOf(sent, facts);
  const country = address?.country ?? facts.rules.homeCountry;
  if (!address || !country || !regionMatters(facts.rules, country)) return [];
  const field = sent && "id" in sent ? `${name}_id` : `${name}.region`;
  if (!address.region) {
    return address.country
      ? [fieldError(field, "required", `needs a region, because prices in ${country} depend on it`)]
      : [];
  }
  return regionCode(country, address.region) === undefined
    ? [fieldError(field, "invalid", `is not a known region of ${country}. Enter its code or name`)]
    : [];
}

function shippingErrors(
  { shippingAddress, shippingMethodId, customShipping }: CheckoutDraft,
  facts: PricingFacts,
  lines: readonly Line[],
  { shippingOptions }: PricingResult,
): FieldError[] {
  const { rules } = facts;
  if (customShipping === null) return [];
  if (customShipping) {
    return lines.some(({ requiresShipping }) => requiresShipping)
      ? []
      : [fieldError("custom_shipping", "not_applicable", "is only for orders with items to ship")];
  }
  const isSent = rules.zones.length > 0 && lines.some(({ requiresShipping }) => requiresShipping);
  if (!isSent) {
    return shippingMethodId === null
      ? []
      : [
          fieldError(
            "shipping_method",
            "not_applicable",
            "is only for orders that are shipped, in a shop with shipping methods",
          ),
        ];
  }
  if (shippingOptions.length === 0) {
    const place = placeOf(rules, addressOf(shippingAddress, facts) ?? {});
    const zone = zoneOf(rules.zones, place);
    const field = "shipping_address";
    return zone
      ? [
          fieldError(
            field,
            "no_shipping_method",
            `is in the zone ${zone.name}, which has no shipping method for this order`,
          ),
        ]
      : [fieldError(field, "shipping_unavailable", `is not in a shipping zone${place ? ` (${place.country})` : ""}`)];
  }
  const isOffered = shippingMethodId === null || shippingOptions.some(({ id }) => id === shippingMethodId);
  return isOffered
    ? []
    : [
        fieldError(
          "shipping_method",
          "unknown_reference",
          `${shippingMethodId} is not one of the order's shipping options`,
        ),
      ];
}

const REASONS: Record<Inapplicable, [code: "discount_not_applicable" | "discount_used_up", words: string]> = {
  not_current: ["discount_not_applicable", "is not valid today"],
  used_up: ["discount_used_up", "has reached its limit of uses"],
  first_order_only: ["discount_not_applicable", "is only for a first order"],
  not_for_these_items: ["discount_not_applicable", "does not apply to these items or this quantity"],
};

const codeErrors = (
  { discountCodes, now }: CheckoutDraft,
  { discounts, history }: PricingFacts,
  lines: readonly Line[],
): FieldError[] =>
  discountCodes.flatMap((code, index) => {
    const field = `discount_codes.${index}`;
    if (discountCodes.indexOf(code) < index) return [];
    const discount = discounts.get(code);
    if (!discount) return [fieldError(field, "unknown_discount_code", "is not a valid discount code")];
    const reason = inapplicable(discount, lines, history, now);
    if (reason === undefined) return [];
    const [name, words] = REASONS[reason];
    return [fieldError(field, name, words)];
  });
