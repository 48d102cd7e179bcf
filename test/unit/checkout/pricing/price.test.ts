import fc from "fast-check";
import { expect, it } from "vitest";
import { priceBasket } from "../../../../src/checkout/pricing/price.ts";
import type { PricingResult } from "../../../../src/checkout/pricing/types.ts";
import { sum } from "../../../../src/domain/rounding.ts";
import { anyBasket, anyRules } from "../../../support/baskets.ts";

const amountsOf = (pricing: PricingResult) => [
  pricing.subtotal,
  pricing.discountTotal,
  pricing.shippingTotal,
  pricing.shippingDiscount,
  pricing.shippingTax,
  pricing.taxTotal,
  pricing.total,
  ...pricing.lines.flatMap(({ total, discount, tax, taxLines }) => [
    total,
    discount,
    tax,
    total - discount,
    ...taxLines.map(({ amount }) => amount),
  ]),
  ...[...pricing.taxLines, ...pricing.discounts].map(({ amount }) => amount),
];

it("adds up to the cent for any shop and basket", () => {
  fc.assert(
    fc.property(anyRules, anyBasket, (rules, basket) => {
      const pricing = priceBasket(rules, basket);
      const { lines, subtotal, discountTotal, shippingTotal, shippingDiscount, shippingTax, taxTotal, total } = pricing;
      expect(amountsOf(pricing).filter((amount) => !Number.isSafeInteger(amount) || amount < 0)).toEqual([]);
      expect(sum(lines.map((line) => line.total))).toBe(subtotal);
      expect(sum(lines.map((line) => line.discount)) + shippingDiscount).toBe(discountTotal);
      expect(sum(lines.map((line) => line.tax)) + shippingTax).toBe(taxTotal);
      expect(sum(pricing.taxLines.map(({ amount }) => amount))).toBe(taxTotal);
      expect(sum(pricing.discounts.map(({ amount }) => amount))).toBe(discountTotal);
      expect(shippingDiscount).toBeLessThanOrEqual(shippingTotal);
      const added = rules.pricesIncludeTax ? 0 : taxTotal;
      expect(total).toBe(subtotal - discountTotal + shippingTotal + added);
    }),
    { numRuns: 2_000 },
  );
});

it("taxes each line to within half a cent of its exact tax", () => {
  fc.assert(
    fc.property(anyRules, anyBasket, (rules, basket) => {
      for (const { total, discount, tax, taxLines } of priceBasket(rules, basket).lines) {
        const [net, all] = [BigInt(total - discount), BigInt(sum(taxLines.map(({ rate }) => rate)))];
        const divisor = rules.pricesIncludeTax ? 1_000_000n + all : 1_000_000n;
        const off = 2n * (BigInt(tax) * divisor - net * all);
        expect(off <= divisor && off >= -divisor).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("never costs the buyer more with a discount than without", () => {
  fc.assert(
    fc.property(anyRules, anyBasket, (rules, basket) => {
      const without = priceBasket(rules, { ...basket, discounts: [] });
      expect(priceBasket(rules, basket).total).toBeLessThanOrEqual(without.total);
    }),
    { numRuns: 1_000 },
  );
});

it("has no parts in a shop without rules", () => {
  fc.assert(
    fc.property(anyRules, anyBasket, (rules, basket) => {
      const pricing = priceBasket({ ...rules, zones: [], rates: [] }, { ...basket, discounts: [] });
      const { subtotal, total, shippingTotal, taxTotal, discountTotal } = pricing;
      expect([total, shippingTotal, taxTotal, discountTotal]).toEqual([subtotal, 0, 0, 0]);
    }),
  );
});
