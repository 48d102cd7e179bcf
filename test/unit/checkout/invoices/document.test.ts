import { expect, it } from "vitest";
import { linesOfInvoice } from "../../../../src/checkout/invoices/document.ts";
import type { InvoicedGoods, InvoicedOrder } from "../../../../src/checkout/invoices/tables.ts";
import type { TaxExemption } from "../../../../src/platform/db/schema.ts";

/** An order of three units at 11.90, less the tax of 19 % in their price. */
function exemptLines(exemption: TaxExemption | undefined, discount: number, pricesIncludeTax = true) {
  const taxLines = exemption ? [{ name: "USt", rate: 0, amount: 0, exemption }] : [];
  const item = { id: 1, name: "Lamp", sku: "L-1", optionValues: [], quantity: 3, refundedQuantity: 0, unitPrice: 1190 };
  const amounts = { total: 3570, discount, tax: 0, taxLines };
  const shipping = { shippingName: null, shippingTotal: 0, shippingDiscount: 0, shippingTax: 0 };
  const refunded = { refundedTotal: 0, refundedShipping: 0, refundedTax: 0 };
  const totals = { taxTotal: 0, taxLines, total: 3570 - discount };
  const goods: InvoicedGoods = { items: [{ ...item, ...amounts }], ...shipping, ...refunded, ...totals };
  const content = { goods, pricesIncludeTax } as InvoicedOrder;
  return linesOfInvoice({ content, corrects: null });
}

it.each<[about: string, ...Parameters<typeof exemptLines>]>([
  ["exported", "export", 570],
  ["sold to a business in another member state", "intra_community_supply", 570],
  ["sold to an exempt customer", undefined, 570],
])("shows the net price of a unit %s, to which its amount adds up", (_, ...order) => {
  expect(exemptLines(...order)).toMatchObject([{ quantity: 3, unitPrice: 1000, net: 3000 }]);
});

it("shows the price of a unit as it was agreed where no tax was taken out of it", () => {
  expect(exemptLines("small_business", 570)).toMatchObject([{ unitPrice: 1190, net: 3000 }]);
  expect(exemptLines("export", 570, false)).toMatchObject([{ unitPrice: 1190, net: 3000 }]);
});

it("keeps a deduction for damage at the rates of the returned units, and divides other refunds among what is left", () => {
  const line = (id: number, rate: number, quantity: number, total: number, tax: number) => ({
    ...{
      id,
      name: `Item ${id}`,
      sku: `I-${id}`,
      optionValues: [],
      quantity,
      refundedQuantity: 0,
      unitPrice: total / quantity,
    },
    ...{ total, discount: 0, tax, taxLines: [{ name: "VAT", rate, amount: tax }] },
  });
  const [lamps, book] = [line(1, 190_000, 2, 23_800, 3_800), line(2, 70_000, 1, 1_070, 70)];
  const shipping = { shippingName: null, shippingTotal: 0, shippingDiscount: 0, shippingTax: 0 };
  const sold: InvoicedGoods = {
    ...{
      items: [lamps, book],
      ...shipping,
      taxTotal: 3_870,
      taxLines: [...lamps.taxLines, ...book.taxLines],
      total: 24_870,
    },
    ...{ refundedTotal: 0, refundedShipping: 0, refundedTax: 0 },
  };
  const returned: InvoicedGoods = {
    ...sold,
    ...{ items: [{ ...lamps, refundedQuantity: 1 }, book], refundedTotal: 11_000, refundedTax: 1_756 },
  };
  const difference = (now: InvoicedGoods, before: InvoicedGoods) =>
    linesOfInvoice({
      content: { goods: now, pricesIncludeTax: true } as InvoicedOrder,
      corrects: { number: "1", issuedOn: "2030-01-02", goods: before },
    }).map(({ name, net, taxes }) => [name, net, taxes[0]?.rate, taxes[0]?.amount]);
  expect(difference(returned, sold)).toEqual([
    ["Item 1", -10_000, 190_000, -1_900],
    ["Price adjustment", 756, 190_000, 144],
  ]);
  const cheaper = { ...sold, refundedTotal: 1_000, refundedTax: 156 };
  expect(difference(cheaper, sold).map(([, , rate]) => rate)).toEqual([190_000, 70_000]);
});
