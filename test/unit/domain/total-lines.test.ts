import { expect, it } from "vitest";
import { includedTax, totalLines } from "../../../src/domain/total-lines.ts";

const order = {
  discounts: [
    { code: "SPRING", name: "Spring sale", amount: 220 },
    { code: null, name: "Regulars", amount: 100 },
  ],
  shippingMethod: { name: "Post" },
  shippingTotal: 0,
  pricesIncludeTax: true,
  taxLines: [{ name: "NYC", rate: 48_750, amount: 429 }],
};

it("names discounts, shipping, and taxes that come on top, in that order", () => {
  const parts = [
    { text: "Spring sale (SPRING)", minor: -220 },
    { text: "Regulars", minor: -100 },
    { text: "Shipping: Post", minor: 0 },
  ];
  const tax = { text: "NYC 4.875 %", minor: 429 };
  expect([totalLines(order), includedTax(order)]).toEqual([parts, [tax]]);
  const added = { ...order, pricesIncludeTax: false };
  expect([totalLines(added), includedTax(added)]).toEqual([[...parts, tax], []]);
});

it("names no lines for an order that consists only of items", () => {
  const plain = { ...order, discounts: [], shippingMethod: null, taxLines: [] };
  expect([totalLines(plain), includedTax(plain)]).toEqual([[], []]);
});
