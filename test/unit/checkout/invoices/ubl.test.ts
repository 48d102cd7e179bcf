import { describe, expect, it } from "vitest";
import type { InvoiceRow } from "../../../../src/checkout/invoices/document.ts";
import type { InvoicedGoods } from "../../../../src/checkout/invoices/tables.ts";
import { invoiceUbl } from "../../../../src/checkout/invoices/ubl.ts";

const address = {
  name: "Ada",
  company: "A & B <GmbH>",
  address: "Torstraße 1",
  city: "Berlin",
  zip: "10119",
  country: "DE",
};
const tax = (amount: number, rate = 190_000) => [{ name: "USt", rate, amount }];
const lamp = {
  ...{
    id: 1,
    name: "Lamp",
    sku: "L-1",
    optionValues: [],
    quantity: 3,
    refundedQuantity: 0,
    unitPrice: 1190,
    total: 3570,
  },
  ...{ discount: 357, tax: 513, taxLines: tax(513) },
};
const book = {
  ...{
    id: 2,
    name: "Book",
    sku: "B-1",
    optionValues: [],
    quantity: 2,
    refundedQuantity: 0,
    unitPrice: 1070,
    total: 2140,
  },
  ...{ discount: 0, tax: 140, taxLines: tax(140, 70_000) },
};
const goods: InvoicedGoods = {
  items: [lamp, book],
  ...{ shippingName: "DHL", shippingTotal: 490, shippingDiscount: 0, shippingTax: 78 },
  ...{ taxTotal: 731, taxLines: [...tax(591), ...tax(140, 70_000)], total: 5843 },
  ...{ refundedTotal: 0, refundedShipping: 0, refundedTax: 0 },
};
const untaxed: InvoicedGoods = {
  items: [{ ...lamp, discount: 0, tax: 0, taxLines: [], unitPrice: 1000, total: 3000 }],
  ...{
    shippingName: null,
    shippingTotal: 0,
    shippingDiscount: 0,
    shippingTax: 0,
    taxTotal: 0,
    taxLines: [],
    total: 3000,
  },
  ...{ refundedTotal: 0, refundedShipping: 0, refundedTax: 0 },
};
const invoice: InvoiceRow = {
  ...{ id: 2030000000001, number: "RE-2030-00001", orderId: 1, type: "invoice", issuedAt: 0, issuedOn: "2030-01-02" },
  ...{ currency: "EUR", total: 5843, tax: 731, corrects: null },
  seller: {
    ...{ name: "A & B", address, email: "a@lamps.example", vatId: "DE123456789", taxNumber: null, registration: null },
    iban: "DE02120300000000202051",
  },
  content: {
    ...{ number: "#1001", orderedOn: "2030-01-01", deliveredOn: "2030-01-03", paidOn: "2030-01-02", dueOn: null },
    ...{ paymentMethod: "credit_card", customerName: "Ada", customerEmail: "ada@shop.test", billingAddress: null },
    ...{ shippingAddress: address, country: "DE", pricesIncludeTax: true, taxExemptReason: null, goods },
  },
};
const corrects = { number: "RE-2030-00001", issuedOn: "2030-01-02", goods };

type Change = Partial<Omit<InvoiceRow, "content" | "seller">> & {
  content?: Partial<InvoiceRow["content"]>;
  seller?: Partial<InvoiceRow["seller"]>;
};
const changed = ({ content = {}, seller = {}, ...row }: Change): InvoiceRow => ({
  ...invoice,
  ...row,
  content: { ...invoice.content, ...content },
  seller: { ...invoice.seller, ...seller },
});
const credit = { type: "credit_note", corrects } as const;
const of = (more: Partial<InvoicedGoods>) => ({ content: { goods: { ...goods, ...more } } });
const refunded = { items: [{ ...lamp, refundedQuantity: 1 }, book], refundedTotal: 1071, refundedTax: 171 };

const documents: Record<string, Change> = {
  paid: {},
  unpaid: { content: { paidOn: null, dueOn: "2030-01-16", paymentMethod: "invoice" } },
  "of refunded units": { ...credit, total: -1071, tax: -171, ...of(refunded) },
  "of a refunded amount": { ...credit, total: -1000, tax: -125, ...of({ refundedTotal: 1000, refundedTax: 125 }) },
  "of a cancelled order": { ...credit, total: -5843, tax: -731, content: { paidOn: null, goods: null } },
  exempt: { total: 3000, tax: 0, content: { taxExemptReason: "§ 4 Nr. 14 UStG", goods: untaxed } },
  exported: { total: 3000, tax: 0, content: { country: "CH", goods: untaxed } },
  "without VAT": { total: 3000, tax: 0, seller: { vatId: null }, content: { goods: untaxed } },
};

const numbers = (xml: string, name: string): number[] =>
  [...xml.matchAll(new RegExp(`<cbc:${name}[^>]*>([^<]*)</cbc:${name}>`, "g"))].map(([, text]) =>
    Math.round(Number(text) * 100),
  );
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

describe.each(Object.entries(documents))("an invoice %s", (_, change) => {
  const xml = invoiceUbl(changed(change), "xrechnung");
  const lines = xml.split(/<cac:(?:Invoice|CreditNote)Line>/).slice(1);
  const [ofHead = ""] = xml.split(/<cac:(?:Invoice|CreditNote)Line>/);
  const one = (name: string): number => numbers(ofHead, name).at(-1) ?? 0;

  it("adds up (BR-CO-10, 13, 14, 15, 16)", () => {
    expect(sum(lines.flatMap((line) => numbers(line, "LineExtensionAmount")))).toBe(one("LineExtensionAmount"));
    expect(one("TaxExclusiveAmount")).toBe(one("LineExtensionAmount"));
    const [whole, ...parts] = numbers(ofHead, "TaxAmount");
    expect(sum(parts)).toBe(whole);
    expect(one("TaxInclusiveAmount")).toBe(one("TaxExclusiveAmount") + (whole ?? 0));
    expect(one("PayableAmount")).toBe(one("TaxInclusiveAmount") - sum(numbers(ofHead, "PrepaidAmount")));
  });

  it("has the net amounts of its lines by category (BR-S-08, BR-E-08, BR-G-08, BR-O-08)", () => {
    const key = (part: string) => `${/TaxCategory><cbc:ID>(\w)/.exec(part)?.[1]} ${numbers(part, "Percent")}`;
    for (const group of ofHead.split("<cac:TaxSubtotal>").slice(1)) {
      const own = lines.filter((line) => key(line) === key(group));
      expect(sum(own.flatMap((line) => numbers(line, "LineExtensionAmount")))).toBe(numbers(group, "TaxableAmount")[0]);
    }
  });

  it("has no negative price (BR-27), and a reason where nothing is taxed (BR-E-10, BR-G-10, BR-O-10)", () => {
    for (const line of lines) expect(numbers(line, "PriceAmount")[0]).toBeGreaterThanOrEqual(0);
    expect(/TaxCategory><cbc:ID>[EGO]/.test(ofHead)).toBe(ofHead.includes("<cbc:TaxExemptionReason>"));
    expect(/TaxCategory><cbc:ID>O/.test(xml)).toBe(!xml.includes("<cbc:CompanyID>DE123456789"));
  });
});

it("escapes texts, and names the invoice that a credit note corrects (BR-55)", () => {
  const xml = invoiceUbl(changed({ ...credit, total: -1071, tax: -171, ...of(refunded) }), "peppol");
  expect(xml).toContain("<cbc:RegistrationName>A &amp; B &lt;GmbH&gt;</cbc:RegistrationName>");
  expect(xml).toContain("<cac:InvoiceDocumentReference><cbc:ID>RE-2030-00001</cbc:ID>");
  expect(xml).toContain('<cbc:CreditedQuantity unitCode="C62">1</cbc:CreditedQuantity>');
});
