import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { priceBasket } from "../../../../src/checkout/pricing/price.ts";
import type { Basket, Rules } from "../../../../src/checkout/pricing/types.ts";
import { decimalsOf, toDecimal } from "../../../../src/domain/money.ts";
import { sum } from "../../../../src/domain/rounding.ts";
import { amountOff, item, percentOff, rate, sentTo, taxAdded, taxIncluded } from "../../../support/tax-shops.ts";

// Examples from public sources. docs/shipping-and-taxes.md names each source and the figures it prints.

type Example = {
  name: string;
  shop: Rules;
  basket: Basket;
  /** Each line's price before the discount, the discount, and the tax. */
  lines: [total: number, discount: number, tax: number][];
  shipping?: [price: number, tax: number];
  taxLines: [name: string, amount: number][];
  total: number;
  /** Currency of the amounts, if it does not have two decimals. */
  currency?: string;
};

const germany = [rate("19 %", 19), rate("7 %", 7, { taxClass: "reduced" })];
const austria = [rate("20 %", 20), rate("10 %", 10, { taxClass: "reduced" })];
const unitedKingdom = [rate("VAT", 20, { taxesShipping: false })];
const newYorkCity = [
  rate("State", 4, { region: "NY" }),
  rate("City", 4.5, { region: "NY" }),
  rate("District", 0.375, { region: "NY" }),
];

const examples: Example[] = [
  {
    name: "Germany, 19 % in the price",
    shop: taxIncluded("DE", germany),
    basket: sentTo("DE", [item(10_000_00)]),
    lines: [[10_000_00, 0, 1_596_64]],
    taxLines: [["19 %", 1_596_64]],
    total: 10_000_00,
  },
  {
    name: "Germany, 7 % and 19 % in one order, with shipping",
    shop: taxIncluded("DE", germany, 5_00),
    basket: sentTo("DE", [item(20_00, "reduced"), item(10_00)]),
    lines: [
      [20_00, 0, 1_31],
      [10_00, 0, 1_60],
    ],
    shipping: [5_00, 22 + 27],
    taxLines: [
      ["7 %", 1_31 + 22],
      ["19 %", 1_60 + 27],
    ],
    total: 35_00,
  },
  {
    name: "Germany, 19 % added to two lines",
    shop: taxAdded("DE", germany),
    basket: sentTo("DE", [item(3_40), item(2_40)]),
    lines: [
      [3_40, 0, 65],
      [2_40, 0, 46],
    ],
    taxLines: [["19 %", 1_11]],
    total: 6_91,
  },
  {
    name: "20 % and 10 % added, 10.00 off all of it",
    shop: taxAdded("AT", austria),
    basket: sentTo(
      "AT",
      [item(20_00, "standard", { quantity: 4 }), item(10_00, "reduced", { quantity: 2 })],
      [amountOff(10_00)],
    ),
    lines: [
      [80_00, 8_00, 14_40],
      [20_00, 2_00, 1_80],
    ],
    taxLines: [
      ["20 %", 14_40],
      ["10 %", 1_80],
    ],
    total: 106_20,
  },
  {
    name: "20 % and 10 % in the price, 10.00 off all of it",
    shop: taxIncluded("AT", austria),
    basket: sentTo(
      "AT",
      [item(24_00, "standard", { quantity: 4 }), item(11_00, "reduced", { quantity: 2 })],
      [amountOff(10_00)],
    ),
    lines: [
      [96_00, 8_14, 14_64],
      [22_00, 1_86, 1_83],
    ],
    taxLines: [
      ["20 %", 14_64],
      ["10 %", 1_83],
    ],
    total: 108_00,
  },
  {
    name: "22 % added to two lines, one at half a cent",
    shop: taxAdded("IT", [rate("IVA", 22)]),
    basket: sentTo("IT", [item(50_35), item(120_75)]),
    lines: [
      [50_35, 0, 11_08],
      [120_75, 0, 26_57],
    ],
    taxLines: [["IVA", 37_65]],
    total: 208_75,
  },
  {
    name: "Ireland, 13.5 % in the price",
    shop: taxIncluded("IE", [rate("VAT", 13.5)]),
    basket: sentTo("IE", [item(11_50)]),
    lines: [[11_50, 0, 1_37]],
    taxLines: [["VAT", 1_37]],
    total: 11_50,
  },
  {
    name: "United Kingdom, exported, at half a penny",
    shop: taxIncluded("GB", unitedKingdom, 4_00),
    basket: sentTo("US-NY", [item(18_99)]),
    lines: [[18_99, 3_17, 0]],
    shipping: [4_00, 0],
    taxLines: [],
    total: 15_82 + 4_00,
  },
  {
    name: "United Kingdom, 20 % added to three units",
    shop: taxAdded("GB", unitedKingdom),
    basket: sentTo("GB", [item(24_17, "standard", { quantity: 3 })]),
    lines: [[72_51, 0, 14_50]],
    taxLines: [["VAT", 14_50]],
    total: 87_01,
  },
  {
    name: "United Kingdom, 20 % added, 10 % and then 2.5 % off",
    shop: taxAdded("GB", unitedKingdom),
    basket: sentTo("GB", [item(600_00)], percentOff(10, 2.5)),
    lines: [[600_00, 60_00 + 13_50, 105_30]],
    taxLines: [["VAT", 105_30]],
    total: 631_80,
  },
  {
    name: "Wisconsin, taxed shipping",
    shop: taxAdded("US", [rate("Sales tax", 5, { region: "WI" })], 10_00),
    basket: sentTo("US-WI", [item(100_00)]),
    lines: [[100_00, 0, 5_00]],
    shipping: [10_00, 50],
    taxLines: [["Sales tax", 5_50]],
    total: 115_50,
  },
  {
    name: "New York City, taxed shipping",
    shop: taxAdded("US", newYorkCity, 20_00),
    basket: sentTo("US-NY", [item(499_95), item(30_00, "standard", { type: "service", requiresShipping: false })]),
    lines: [
      [499_95, 0, 44_37],
      [30_00, 0, 2_66],
    ],
    shipping: [20_00, 1_78],
    taxLines: [
      ["State", 22_00],
      ["City", 24_75],
      ["District", 2_06],
    ],
    total: 598_76,
  },
  {
    name: "New York City, three rates",
    shop: taxAdded("US", newYorkCity),
    basket: sentTo("US-NY", [item(100_00)]),
    lines: [[100_00, 0, 8_88]],
    taxLines: [
      ["State", 4_00],
      ["City", 4_50],
      ["District", 38],
    ],
    total: 108_88,
  },
  {
    name: "California, untaxed shipping",
    shop: taxAdded("US", [rate("Sales tax", 7.25, { region: "CA", taxesShipping: false })], 10_00),
    basket: sentTo("US-CA", [item(100_00)]),
    lines: [[100_00, 0, 7_25]],
    shipping: [10_00, 0],
    taxLines: [["Sales tax", 7_25]],
    total: 117_25,
  },
  {
    name: "Washington, taxable and exempt goods in one shipment",
    shop: taxAdded("US", [rate("Sales tax", 8.4, { region: "WA" })], 10_00),
    basket: sentTo("US-WA", [item(60_00), item(40_00, "exempt")]),
    lines: [
      [60_00, 0, 5_04],
      [40_00, 0, 0],
    ],
    shipping: [10_00, 50],
    taxLines: [["Sales tax", 5_54]],
    total: 115_54,
  },
  {
    name: "British Columbia, GST and PST",
    shop: taxAdded("CA", [rate("GST", 5, { region: "BC" }), rate("PST", 7, { region: "BC" })]),
    basket: sentTo("CA-BC", [item(2_500_00)]),
    lines: [[2_500_00, 0, 300_00]],
    taxLines: [
      ["GST", 125_00],
      ["PST", 175_00],
    ],
    total: 2_800_00,
  },
  {
    name: "Québec, GST and QST",
    shop: taxAdded("CA", [rate("GST", 5, { region: "QC" }), rate("QST", 9.975, { region: "QC" })]),
    basket: sentTo("CA-QC", [item(100_00)]),
    lines: [[100_00, 0, 14_98]],
    taxLines: [
      ["GST", 5_00],
      ["QST", 9_98],
    ],
    total: 114_98,
  },
  {
    name: "Japan, 8 % in the price, in whole yen",
    shop: taxIncluded("JP", [rate("Tax", 8)]),
    basket: sentTo("JP", [item(12_345)]),
    currency: "JPY",
    lines: [[12_345, 0, 914]],
    taxLines: [["Tax", 914]],
    total: 12_345,
  },
];

const taxOf = ({ taxLines }: Example): number => sum(taxLines.map(([, amount]) => amount));

it.each(examples)("$name", (example) => {
  const { shop, basket, lines, shipping = [0, 0], taxLines, total } = example;
  const pricing = priceBasket(shop, basket);
  expect(pricing.lines.map((line) => [line.total, line.discount, line.tax])).toEqual(lines);
  expect([pricing.shippingTotal, pricing.shippingTax]).toEqual(shipping);
  expect(pricing.taxLines.map(({ name, amount }) => [name, amount])).toEqual(taxLines);
  expect([pricing.taxTotal, pricing.total]).toEqual([taxOf(example), total]);
});

const money = (amount: number, currency = "EUR"): string =>
  toDecimal(amount, currency).toLocaleString("en", { minimumFractionDigits: decimalsOf(currency) });

it("matches the tables of docs/shipping-and-taxes.md", () => {
  const rows = readFileSync("docs/shipping-and-taxes.md", "utf8").matchAll(
    /^\| ([A-Z0-9].*?) \| .* \| ([\d.,]+) \| ([\d.,]+) \|$/gm,
  );
  expect([...rows].map(([, ...cells]) => cells)).toEqual(
    examples.map((example) => {
      const { name, total, currency } = example;
      return [name, money(taxOf(example), currency), money(total, currency)];
    }),
  );
});
