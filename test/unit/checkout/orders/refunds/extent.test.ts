import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type RefundRequest,
  refundableAmount,
  refundableShipping,
  refundExtent,
} from "../../../../../src/checkout/orders/refunds/extent.ts";
import type { OrderRow } from "../../../../../src/checkout/orders/schemas.ts";
import { priceBasket } from "../../../../../src/checkout/pricing/price.ts";
import { type Basket, NO_RULES, type Rules } from "../../../../../src/checkout/pricing/types.ts";
import { anyBasket, anyRules } from "../../../../support/baskets.ts";

/** The part of an order that determines how much can be refunded. */
type Sold = Omit<ReturnType<typeof priceBasket>, "lines"> & {
  items: { id: number; quantity: number; refundedQuantity: number; total: number; discount: number; tax: number }[];
  currency: string;
  refundedTotal: number;
  refundedTax: number;
  refundedShipping: number;
};

const asOrder = (order: Sold): OrderRow => order as unknown as OrderRow;

function sold(rules: Rules, basket: Basket): Sold {
  const { lines, ...pricing } = priceBasket(rules, basket);
  const items = lines.map((line, index) => {
    const quantity = basket.lines[index]?.quantity ?? 1;
    return { ...line, id: index + 1, quantity, refundedQuantity: 0 };
  });
  return {
    ...pricing,
    items,
    currency: "EUR",
    refundedTotal: 0,
    refundedTax: 0,
    refundedShipping: 0,
  };
}

function refunded(order: Sold, what: RefundRequest): Sold {
  const { lines, amount, shipping, tax } = refundExtent(asOrder(order), what, false);
  const units = new Map(lines.map(({ itemId, quantity }) => [itemId, quantity]));
  return {
    ...order,
    refundedTotal: order.refundedTotal + amount,
    refundedTax: order.refundedTax + tax,
    refundedShipping: order.refundedShipping + shipping,
    items: order.items.map((item) => ({
      ...item,
      refundedQuantity: item.refundedQuantity + (units.get(item.id) ?? 0),
    })),
  };
}

/** A refund to try. `share` is the requested fraction of what remains. */
const step = fc.record({
  kind: fc.constantFrom("amount", "units", "shipping", "with_shipping", "without_shipping"),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

function requestOf(order: Sold, { kind, share }: { kind: string; share: number }): RefundRequest {
  if (kind === "amount") return Math.round(refundableAmount(asOrder(order)) * share);
  const lines = order.items
    .map(({ id, quantity, refundedQuantity }) => ({
      itemId: id,
      quantity: Math.round((quantity - refundedQuantity) * share),
    }))
    .filter(({ quantity }) => quantity > 0);
  if (kind === "without_shipping") return { lines, shipping: false };
  if (refundableShipping(asOrder(order)) === 0 || kind === "units") return { lines };
  return kind === "shipping" ? { shipping: true } : { lines, shipping: true };
}

it("refunds exactly what was paid and taxed, by any refunds, and never more", () => {
  fc.assert(
    fc.property(anyRules, anyBasket, fc.array(step, { maxLength: 8 }), (rules, basket, steps) => {
      let order = sold(rules, basket);
      const paidForShipping = refundableShipping(asOrder(order));
      for (const next of steps) {
        const before = order;
        order = refunded(order, requestOf(order, next));
        expect(order.refundedTotal).toBeGreaterThanOrEqual(before.refundedTotal);
        expect(order.refundedTotal).toBeLessThanOrEqual(order.total);
        expect(order.refundedTax).toBeGreaterThanOrEqual(before.refundedTax);
        expect(order.refundedTax).toBeLessThanOrEqual(Math.min(order.taxTotal, order.refundedTotal));
        expect(order.refundedShipping).toBeLessThanOrEqual(Math.min(paidForShipping, order.refundedTotal));
        expect(order.taxTotal - order.refundedTax).toBeLessThanOrEqual(refundableAmount(asOrder(order)));
      }
      const whole = refunded(order, "all");
      expect(whole).toMatchObject({ refundedTotal: order.total, refundedTax: order.taxTotal });
      expect(whole.refundedShipping).toBeLessThanOrEqual(Math.min(paidForShipping, whole.refundedTotal));
      expect(whole.items.every(({ quantity, refundedQuantity }) => quantity === refundedQuantity)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it("refunds a line's own share of discount and tax, whichever units come first", () => {
  fc.assert(
    fc.property(anyRules, anyBasket, (rules, basket) => {
      let order = sold(rules, basket);
      const [first, ...others] = order.items;
      fc.pre(first !== undefined && others.length > 0 && first.quantity <= 20);
      if (!first) return;
      for (let unit = 0; unit < first.quantity; unit++) {
        order = refunded(order, { lines: [{ itemId: 1, quantity: 1 }], shipping: false });
      }
      const added = order.pricesIncludeTax ? 0 : first.tax;
      expect(order.refundedTotal).toBe(first.total - first.discount + added);
      expect(order.refundedTax).toBe(first.tax);
    }),
  );
});

it("leaves no tax to refund when no money is left", () => {
  const rate = { id: 1, name: "VAT", country: "DE", region: null, taxClass: "standard", rate: 1_000_000 } as const;
  const rules = { ...NO_RULES, homeCountry: "DE", pricesIncludeTax: true, rates: [{ ...rate, taxesShipping: false }] };
  const line = {
    quantity: 1,
    type: "service",
    requiresShipping: false,
    categoryId: null,
    weightGrams: null,
    parentId: null,
    renews: null,
  } as const;
  const basket: Basket = {
    lines: [
      { ...line, productId: 1, unitPrice: 100, taxClass: "exempt" },
      { ...line, productId: 2, unitPrice: 20, taxClass: "standard" },
    ],
    shipTo: null,
    billTo: { country: "DE", region: null },
    shippingMethodId: null,
    discounts: [],
    taxExempt: false,
  };
  const order = sold(rules, basket);
  expect(order).toMatchObject({ total: 120, taxTotal: 10 });
  const ended = refunded(refunded(order, 110), { lines: [{ itemId: 1, quantity: 1 }] });
  expect(ended).toMatchObject({ refundedTotal: 120, refundedTax: 10 });
});
