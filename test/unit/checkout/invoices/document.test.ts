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
