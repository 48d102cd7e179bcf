import { describe, expect, it } from "vitest";
import { inapplicable } from "../../../../src/checkout/pricing/discounts.ts";
import { priceBasket } from "../../../../src/checkout/pricing/price.ts";
import { type Basket, type Discount, type Line, NO_RULES, type Rules } from "../../../../src/checkout/pricing/types.ts";
import { discount as discountWith, item, post, rate, taxIncluded } from "../../../support/tax-shops.ts";

const line = (more: Partial<Line>): Line => item(1_000, "standard", more);

let made = 0;

/** Each discount is newer than the ones before it. */
const discount = (more: Partial<Discount>): Discount =>
  discountWith({ id: ++made, name: `Discount ${made}`, code: null, ...more });

const some = { appliesTo: "selected_products" } as const;

const basket = (lines: Line[], discounts: Discount[]): Basket => ({
  lines,
  shipTo: null,
  billTo: null,
  shippingMethodId: null,
  discounts,
  taxExempt: false,
});

const offOf = (lines: Line[], discounts: Discount[]) =>
  priceBasket(NO_RULES, basket(lines, discounts)).discounts.map(({ name, amount }) => [name, amount]);

describe("discounts", () => {
  const [ten, twoOff] = [
    discount({ name: "Ten", percent: 100_000, priority: 2 }),
    discount({ name: "Two off", kind: "amount", amount: 200, priority: 1 }),
  ];

  it("apply by priority and then by age, each to the remaining price", () => {
    expect(offOf([line({})], [ten, twoOff])).toEqual([
      ["Two off", 200],
      ["Ten", 80],
    ]);
    expect(offOf([line({})], [{ ...ten, priority: 1 }, twoOff])).toEqual([
      ["Ten", 100],
      ["Two off", 200],
    ]);
  });

  it("are the set that costs the buyer least, which may be empty", () => {
    const alone = discount({ name: "Alone", percent: 270_000, combinable: false });
    expect(offOf([line({})], [ten, twoOff, alone])).toHaveLength(2);
    expect(offOf([line({})], [ten, twoOff, { ...alone, percent: 290_000 }])).toEqual([["Alone", 290]]);
    const zone = { id: 1, name: "World", places: [], restOfWorld: true };
    const rules: Rules = { ...NO_RULES, zones: [zone], methods: [post(600, 1_000)] };
    // With 1 % off, the order would lose its free shipping.
    expect(priceBasket(rules, basket([line({})], [discount({ percent: 10_000 })])).total).toBe(1_000);
  });

  it("take the cheapest of the purchased units, at its remaining price", () => {
    const third = discount({ name: "Third", kind: "buy_x_get_y", buyQuantity: 2, getQuantity: 1, priority: 2 });
    const lines = [line({ productId: 1, unitPrice: 100 }), line({ productId: 2, unitPrice: 200, quantity: 2 })];
    expect(offOf(lines, [third])).toEqual([["Third", 100]]);
    const moreOfTheCheapest = [
      line({ productId: 1, unitPrice: 100, quantity: 5 }),
      line({ productId: 2, unitPrice: 200 }),
    ];
    expect(offOf(moreOfTheCheapest, [third])).toEqual([["Third", 200]]);
    const freeFirst = discount({ name: "Free", kind: "amount", amount: 100, ...some, productIds: [1], priority: 1 });
    expect(offOf(lines, [third, freeFirst])).toEqual([["Free", 100]]);
    const half = { ...third, percent: 500_000 };
    expect(offOf([line({ quantity: 6 })], [half])).toEqual([["Third", 1_000]]);
    expect(offOf([line({ quantity: 2 })], [half])).toEqual([]);
  });

  it("cover products, products of categories, everything, or nothing once all their products were deleted", () => {
    const lines = [line({ productId: 1 }), line({ productId: 2, categoryId: 7 }), line({ productId: 3 })];
    const half = { percent: 500_000 };
    expect(offOf(lines, [discount({ ...half, ...some, name: "A", productIds: [1], categoryIds: [7] })])).toEqual([
      ["A", 1_000],
    ]);
    expect(offOf(lines, [discount({ ...half, name: "B" })])).toEqual([["B", 1_500]]);
    expect(offOf(lines, [discount({ ...half, ...some, productIds: [9] })])).toEqual([]);
    expect(offOf(lines, [discount({ ...half, ...some })])).toEqual([]);
    expect(offOf(lines, [discount({ ...half, minimumSubtotal: 3_001 })])).toEqual([]);
    expect(offOf(lines, [discount({ ...half, name: "C", minimumSubtotal: 3_000 })])).toEqual([["C", 1_500]]);
  });

  it("need a minimum amount of goods, as free shipping does, which gift cards are not", () => {
    const zone = { id: 1, name: "World", places: [], restOfWorld: true };
    const rules: Rules = { ...NO_RULES, zones: [zone], methods: [post(600, 1_800)] };
    const off = discount({ percent: 100_000, minimumSubtotal: 2_000 });
    const card = line({ type: "gift_card", requiresShipping: false });
    expect(priceBasket(rules, basket([line({}), card], [off])).total).toBe(2_600);
    expect(priceBasket(rules, basket([line({}), line({}), card], [off])).total).toBe(2_800);
  });

  it("apply from their start to before their end, and up to their last use", () => {
    const limited = { percent: 100_000, startsAt: 1_000, endsAt: 2_000, maxUses: 3, maxUsesPerCustomer: 1 };
    const reason = (more: Partial<Discount>, now: number, usesByBuyer = 0) => {
      const offered = discount({ ...limited, ...more });
      const history = { hasOrdered: usesByBuyer > 0, uses: new Map([[offered.id, usesByBuyer]]) };
      return inapplicable(offered, [line({})], history, now);
    };
    expect([999, 1_000, 1_999, 2_000].map((now) => reason({}, now))).toEqual([
      "not_current",
      undefined,
      undefined,
      "not_current",
    ]);
    expect([2, 3].map((uses) => reason({ uses }, 1_000))).toEqual([undefined, "used_up"]);
    expect(reason({}, 1_000, 1)).toBe("used_up");
    expect(reason({ maxUsesPerCustomer: 2, firstOrderOnly: true }, 1_000, 1)).toBe("first_order_only");
    expect(reason({ enabled: false }, 1_000)).toBe("not_current");
  });
});

describe("tax", () => {
  const german = taxIncluded("DE", [rate("VAT", 19)]);
  const vat = rate("VAT", 19)(1, "DE");
  const to = (rules: Rules, country: string) =>
    priceBasket(rules, { ...basket([line({ unitPrice: 11_900 })], []), shipTo: { country, region: null } });

  it("is that of the shop's home in EU countries without a rate of their own, and none elsewhere", () => {
    expect(to(german, "FR")).toMatchObject({ total: 11_900, taxTotal: 1_900 });
    expect(to(german, "CH")).toMatchObject({ total: 10_000, taxTotal: 0 });
    const french = { ...vat, id: 2, country: "FR", rate: 200_000 };
    expect(to({ ...german, rates: [...german.rates, french] }, "FR")).toMatchObject({ total: 11_900, taxTotal: 1_983 });
    const reduced = { ...french, taxClass: "reduced" as const };
    expect(to({ ...german, rates: [...german.rates, reduced] }, "FR")).toMatchObject({
      total: 11_900,
      taxTotal: 1_900,
    });
  });

  it("is that of the billing address for what is not shipped", () => {
    const sold = basket([line({ unitPrice: 11_900, requiresShipping: false })], []);
    const [germany, switzerland] = ["DE", "CH"].map((country) => ({ country, region: null }));
    const billed = { ...sold, shipTo: germany ?? null, billTo: switzerland ?? null };
    expect(priceBasket(german, billed)).toMatchObject({ total: 10_000, taxTotal: 0 });
  });

  it("of shipping goes by the list prices of goods that discounts make free", () => {
    const reduced = { ...vat, id: 2, name: "Reduced", taxClass: "reduced" as const, rate: 70_000 };
    const rules = { ...german, pricesIncludeTax: false, rates: [...german.rates, reduced] };
    const lines = [line({ unitPrice: 3_000 }), line({ unitPrice: 1_000, taxClass: "reduced" })];
    const shipped = {
      ...basket(lines, [discount({ percent: 1_000_000 })]),
      customShipping: {
        id: null,
        kind: "flat_rate" as const,
        name: "Post",
        price: 1_000,
        min_days: null,
        max_days: null,
      },
    };
    expect(priceBasket(rules, shipped)).toMatchObject({ shippingTax: 143 + 18 });
  });

  it("is listed by name and rate: two rates with one name are two lines of the order", () => {
    const reduced = { ...vat, id: 2, taxClass: "reduced" as const, rate: 70_000 };
    const rules = { ...german, rates: [...german.rates, reduced] };
    const lines = [
      line({ unitPrice: 11_900 }),
      line({ unitPrice: 10_700, taxClass: "reduced" }),
      line({ unitPrice: 1_190 }),
    ];
    expect(priceBasket(rules, basket(lines, [])).taxLines).toEqual([
      { name: "VAT", rate: 190_000, amount: 2_090 },
      { name: "VAT", rate: 70_000, amount: 700 },
    ]);
  });

  it("uses the rates of an external calculator instead of the table", () => {
    const asked: unknown[] = [];
    const service = (place: unknown, taxClass: string) => {
      asked.push([place, taxClass]);
      return [{ ...vat, rate: 50_000, taxClass: "standard" as const }];
    };
    const to = { country: "US", region: "NY" };
    const sold = { ...basket([line({ unitPrice: 10_500 })], []), shipTo: to };
    expect(priceBasket(german, sold, service)).toMatchObject({ total: 10_500, taxTotal: 500 });
    expect(asked).toContainEqual([to, "standard"]);
  });
});
