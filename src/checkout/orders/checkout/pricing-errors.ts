import { type FieldError, fieldError } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { type PaymentMethod, settingsOf } from "../../../domain/payment-methods.ts";
import { regionCode } from "../../../domain/place.ts";
import {
  type Inapplicable,
  inapplicable,
  type Line,
  type Pricing,
  placeOf,
  type Rules,
  regionMatters,
  zoneOf,
} from "../../pricing/public.ts";
import type { CheckoutDraft, OrderAddress } from "./draft.ts";
import { addressOf, type PricingFacts } from "./order-state.ts";

/** Reasons why a checkout has no chargeable price: its addresses, its shipping or its codes. */
export const pricingErrors = (
  draft: CheckoutDraft,
  facts: PricingFacts,
  lines: readonly Line[],
  pricing: Pricing,
): FieldError[] => [
  ...regionErrors("shipping_address", draft.shippingAddress, facts),
  ...regionErrors("billing_address", draft.billingAddress, facts),
  ...shippingErrors(draft, facts, lines, pricing),
  ...codeErrors(draft, facts, lines),
];

/** Refuses a payment method that the shop does not offer, or not to guests. Nobody pays for an order that costs nothing. */
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

export const totalChanged = (expected: number | null, pricing: Pricing): FieldError[] =>
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
    ? [fieldError(field, "invalid", `is not in a known region of ${country}. Send the region's code or name`)]
    : [];
}

function shippingErrors(
  { shippingAddress, shippingMethodId, customShipping }: CheckoutDraft,
  facts: PricingFacts,
  lines: readonly Line[],
  { shippingOptions }: Pricing,
): FieldError[] {
  const { rules } = facts;
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
