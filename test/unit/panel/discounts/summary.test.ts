import { expect, it } from "vitest";
import type { DiscountRow } from "../../../../src/checkout/discounts/fields.ts";
import { inWords, namedBy } from "../../../../src/panel/discounts/summary.tsx";
import { discount } from "../../../support/tax-shops.ts";

const plain: DiscountRow = { ...discount({ code: null, percent: 100_000 }), createdAt: 0 };

const some = { appliesTo: "selected_products" } as const;

const names = new Map([
  ["category:1", "Posters"],
  ["category:2", "Mugs"],
  ["product:3", "Lamp"],
]);

const threeForTwo = { kind: "buy_x_get_y", buyQuantity: 2, getQuantity: 1, percent: 1_000_000 } as const;

it.each<[string, Partial<DiscountRow>]>([
  ["10 % off everything", {}],
  ["8.875 % off Posters", { ...some, percent: 88_750, categoryIds: [1] }],
  ["10 % off Posters and Lamp", { ...some, categoryIds: [1], productIds: [3] }],
  ["10 % off Posters, Mugs and 2 more", { ...some, categoryIds: [1, 2], productIds: [3, 4] }],
  ["10 % off product 9", { ...some, productIds: [9] }],
  ["$12.50 off everything", { kind: "amount", amount: 1_250 }],
  ["Free shipping", { kind: "free_shipping" }],
  ["Free shipping with Lamp, from $50.00", { ...some, kind: "free_shipping", productIds: [3], minimumSubtotal: 5_000 }],
  ["Buy 2, get 1 free", threeForTwo],
  ["Buy 2, get 1 at 50 % off: Mugs", { ...some, ...threeForTwo, percent: 500_000, categoryIds: [2] }],
  ["10 % off everything, from $20.00, on the first order", { minimumSubtotal: 2_000, firstOrderOnly: true }],
  ["10 % off no products", some],
  ["Free shipping with no products", { ...some, kind: "free_shipping" }],
])("says %j", (words, columns) => {
  expect(inWords({ ...plain, ...columns }, names, "USD")).toBe(words);
});

it("looks up only the names that it needs", () => {
  expect(namedBy({ categoryIds: [1, 2, 3], productIds: [3] })).toEqual(["category:1", "category:2"]);
});
