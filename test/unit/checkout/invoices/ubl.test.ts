import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { InvoiceRow } from "../../../../src/checkout/invoices/document.ts";
import { invoicePdf } from "../../../../src/checkout/invoices/pdf/invoice-pdf.ts";
import type { InvoicedGoods } from "../../../../src/checkout/invoices/tables.ts";
import { invoiceUbl, profilesOf } from "../../../../src/checkout/invoices/ubl.ts";
import type { TaxExemption } from "../../../../src/platform/db/schema.ts";

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
  ...{ shippingName: null, shippingTotal: 0, shippingDiscount: 0, shippingTax: 0 },
  ...{ taxTotal: 0, taxLines: [], total: 3000 },
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
  "with shipping taxed at two rates": {
    ...{ total: 5853, tax: 716 },
    ...of({
      shippingTotal: 500,
      shippingTax: 63,
      taxTotal: 716,
      taxLines: [...tax(565), ...tax(151, 70_000)],
      total: 5853,
    }),
  },
  "of refunded units": { ...credit, total: -1071, tax: -171, ...of(refunded) },
  "of a refunded amount": { ...credit, total: -1000, tax: -125, ...of({ refundedTotal: 1000, refundedTax: 125 }) },
  "of a cancelled order": { ...credit, total: -5843, tax: -731, content: { paidOn: null, goods: null } },
  exempt: { total: 3000, tax: 0, content: { taxExemptReason: "§ 4 Nr. 14 UStG", goods: untaxed } },
  exported: { total: 3000, tax: 0, content: { country: "CH", goods: untaxed } },
  "without VAT": { total: 3000, tax: 0, seller: { vatId: null }, content: { goods: untaxed } },
};

/** An untaxed line with an exemption, with shipping if it is sent. */
const exemptGoods = (exemption: TaxExemption): InvoicedGoods => {
  const taxLines = [{ name: "USt", rate: 0, amount: 0, exemption }];
  const items = untaxed.items.map((item) => ({ ...item, taxLines }));
  const sent = exemption === "reverse_charge" ? {} : { shippingName: "DHL", shippingTotal: 490, total: 3490 };
  return { ...untaxed, items, taxLines, ...sent };
};
const business = { ...address, country: "FR", vat_id: "FR40303265045" };
const exempted = (exemption: TaxExemption, content: Change["content"] = {}): Change => ({
  ...{ total: exemption === "reverse_charge" ? 3000 : 3490, tax: 0 },
  content: {
    taxExemptReason: exemption,
    goods: exemptGoods(exemption),
    shippingAddress: business,
    country: "FR",
    ...content,
  },
});
const byLaw: Record<string, [change: Change, category: string, code: string | undefined]> = {
  "reverse charged": [exempted("reverse_charge"), "AE", "VATEX-EU-AE"],
  "of an intra-Community supply": [exempted("intra_community_supply"), "K", "VATEX-EU-IC"],
  "of an export": [exempted("export"), "G", "VATEX-EU-G"],
  "of a small business": [exempted("small_business"), "E", undefined],
};

const numbers = (xml: string, name: string): number[] =>
  [...xml.matchAll(new RegExp(`<cbc:${name}[^>]*>([^<]*)</cbc:${name}>`, "g"))].map(([, text]) =>
    Math.round(Number(text) * 100),
  );
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

describe.each([
  ...Object.entries(documents),
  ...Object.entries(byLaw).map(([name, [change]]) => [name, change] as const),
])("an invoice %s", (_, change) => {
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
    const key = (part: string) => `${/TaxCategory><cbc:ID>(\w+)/.exec(part)?.[1]} ${numbers(part, "Percent")[0] ?? 0}`;
    for (const group of ofHead.split("<cac:TaxSubtotal>").slice(1)) {
      const own = lines.filter((line) => key(line) === key(group));
      expect(sum(own.flatMap((line) => numbers(line, "LineExtensionAmount")))).toBe(numbers(group, "TaxableAmount")[0]);
    }
  });

  it("taxes each net amount at its rate, to the cent of each line (BR-S-09)", () => {
    const groups = ofHead.split("<cac:TaxSubtotal>").slice(1);
    for (const group of groups.filter((each) => each.includes("<cbc:ID>S<"))) {
      const [base = 0, rate = 0, tax = 0] = ["TaxableAmount", "Percent", "TaxAmount"].map(
        (name) => numbers(group, name)[0],
      );
      expect([19_00, 7_00]).toContain(rate);
      expect(Math.abs((base * rate) / 10_000 - tax)).toBeLessThanOrEqual(2);
    }
  });

  it("has no negative price (BR-27), and a reason where nothing is taxed (BR-E-10, BR-G-10, BR-O-10)", () => {
    for (const line of lines) expect(numbers(line, "PriceAmount")[0]).toBeGreaterThanOrEqual(0);
    expect(/TaxCategory><cbc:ID>(?:AE|[EGKO])</.test(ofHead)).toBe(ofHead.includes("<cbc:TaxExemptionReason>"));
    expect(/TaxCategory><cbc:ID>O/.test(xml)).toBe(!xml.includes("<cbc:CompanyID>DE123456789"));
  });
});

it("escapes texts, and names the invoice that a credit note corrects (BR-55)", () => {
  const xml = invoiceUbl(changed({ ...credit, total: -1071, tax: -171, ...of(refunded) }), "peppol");
  expect(xml).toContain("<cbc:RegistrationName>A &amp; B &lt;GmbH&gt;</cbc:RegistrationName>");
  expect(xml).toContain("<cac:InvoiceDocumentReference><cbc:ID>RE-2030-00001</cbc:ID>");
  expect(xml).toContain('<cbc:CreditedQuantity unitCode="C62">1</cbc:CreditedQuantity>');
});

describe.each(Object.entries(byLaw))("an invoice %s", (_, [change, category, code]) => {
  const xml = invoiceUbl(changed(change), "peppol");

  it("has one category at rate 0, with the reason and its code (BR-AE-10, BR-IC-10, BR-G-10, BR-E-10)", () => {
    expect(new Set(xml.match(/TaxCategory><cbc:ID>\w+/g)?.map((text) => text.split("ID>")[1]))).toEqual(
      new Set([category]),
    );
    expect(numbers(xml, "Percent").every((percent) => percent === 0)).toBe(true);
    expect(/<cbc:TaxExemptionReasonCode>([^<]*)/.exec(xml)?.[1]).toBe(code);
    expect(xml.match(/<cac:TaxSubtotal>/g)).toHaveLength(1);
  });

  it("names the VAT IDs of both, and the country of delivery (BR-AE-02, BR-IC-02, BR-IC-12)", () => {
    expect(xml).toContain("<cac:PartyTaxScheme><cbc:CompanyID>FR40303265045</cbc:CompanyID>");
    expect(xml).toContain("<cac:PartyTaxScheme><cbc:CompanyID>DE123456789</cbc:CompanyID>");
    expect(xml).toMatch(/<cac:DeliveryLocation><cac:Address>.*<cbc:IdentificationCode>FR<.*<.cac:DeliveryLocation>/);
  });
});

it("dates an intra-Community supply that is not sent yet (BR-IC-11)", () => {
  const xml = invoiceUbl(changed(exempted("intra_community_supply", { deliveredOn: null })), "peppol");
  expect(xml).toContain("<cac:InvoicePeriod><cbc:StartDate>2030-01-01</cbc:StartDate><cbc:EndDate>2030-01-02<");
  expect(invoiceUbl(changed(byLaw["of an intra-Community supply"]?.[0] ?? {}), "peppol")).not.toContain(
    "InvoicePeriod",
  );
});

it("names shipping and the payment in the buyer's language", () => {
  const xml = invoiceUbl(changed({ content: { language: "de" } }), "xrechnung");
  expect(xml).toContain("<cbc:Name>Versand: DHL</cbc:Name>");
  expect(xml).toContain("<cbc:Note>Kreditkarte, Bezahlt am 2. Jan. 2030</cbc:Note>");
});

describe("in the Peppol network", () => {
  it("corrects an invoice by one of the usual type, as all countries may (PEPPOL-EN16931-P0112)", () => {
    const typeIn = (profile: "peppol" | "xrechnung") =>
      /<cbc:InvoiceTypeCode>(\d+)/.exec(invoiceUbl(changed({ type: "corrected_invoice", corrects }), profile))?.[1];
    expect([typeIn("peppol"), typeIn("xrechnung")]).toEqual(["380", "384"]);
  });

  const endpoints = (profile: "peppol" | "xrechnung", seller: string, buyer: string) => {
    const change = {
      seller: { vatId: seller },
      content: { shippingAddress: { ...address, vat_id: buyer } },
    };
    return invoiceUbl(changed(change), profile).match(/<cbc:EndpointID.*?(?=<.cbc:EndpointID)/g);
  };

  it.each<[seller: string, buyer: string, ...expected: [scheme: string, id: string][]]>([
    ["DE123456789", "FR40303265045", ["9930", "DE123456789"], ["9957", "FR40303265045"]],
    ["BE0202239951", "BE0403170701", ["0208", "0202239951"], ["0208", "0403170701"]],
    ["EL123456789", "ATU12345678", ["9933", "EL123456789"], ["9914", "ATU12345678"]],
  ])("%s invoices %s by their VAT IDs (PEPPOL-EN16931-CL008, PEPPOL-COMMON-R043)", (seller, buyer, ...expected) => {
    expect(endpoints("peppol", seller, buyer)).toEqual(
      expected.map(([scheme, id]) => `<cbc:EndpointID schemeID="${scheme}">${id}`),
    );
    expect(endpoints("xrechnung", seller, buyer)?.[0]).toContain('schemeID="EM"');
  });
});

it.each<[about: string, seller: Change["seller"], buyer: string | null, profiles: string[]]>([
  ["of a German shop to a business", {}, "FR40303265045", ["xrechnung", "peppol"]],
  [
    "of a Belgian shop to a business",
    { vatId: "BE0202239951", address: { ...address, country: "BE" } },
    "BE0403170701",
    ["peppol", "xrechnung"],
  ],
  ["to a consumer", {}, null, ["xrechnung"]],
  ["by a tax number", { vatId: null, taxNumber: "12/345/67890" }, "FR40303265045", ["xrechnung"]],
  ["by a registration", { vatId: null, registration: "HRB 1" }, null, ["xrechnung"]],
  ["without identifiers of the seller", { vatId: null }, "FR40303265045", []],
])("offers XML %s as its rules allow (BR-CO-26, PEPPOL-EN16931-CL008)", (_, seller = {}, buyer, profiles) => {
  const content = { shippingAddress: { ...address, vat_id: buyer } };
  expect(profilesOf(changed({ seller, content }))).toEqual(profiles);
});

it("identifies a seller by its tax number if it has nothing else (BR-CO-26)", () => {
  const xml = (seller: NonNullable<Change["seller"]>) => invoiceUbl(changed({ seller }), "xrechnung");
  const identified = "<cac:PartyIdentification><cbc:ID>12/345/67890</cbc:ID></cac:PartyIdentification>";
  expect(xml({ vatId: null, taxNumber: "12/345/67890" })).toContain(identified);
  expect(xml({ taxNumber: "12/345/67890" })).not.toContain("PartyIdentification");
});

it("has the rate 0 in the sums of what is not subject to VAT, and none on its lines (BR-DE-14, BR-O-05)", () => {
  const xml = invoiceUbl(changed(documents["without VAT"] ?? {}), "xrechnung");
  expect(xml).toMatch(/<cac:TaxCategory><cbc:ID>O<.cbc:ID><cbc:Percent>0</);
  expect(xml).toMatch(/<cac:ClassifiedTaxCategory><cbc:ID>O<.cbc:ID><cac:TaxScheme>/);
});

/** Digests of all documents in a language. */
const released = [
  ["en", "795c5cafff9607fedf9d552fc2229c359c5456a9d8721f8525662e470a8064c2"],
  ["de", "5dc2d1c0c9c3e010120281e953ac7282f9399dedd1aa0b3c2b5b3bcf33a49e97"],
  ["fr", "d0d470cff4f9b505fd522ea9b27dcee8d6245052eb76363435f4c41a9ff41c49"],
  ["es", "54dc7b211702f4067314712205bbf9d4e431531f6b422e7164e5ede9265fa010"],
] as const;

// Later releases must not change documents that were issued.
it.each(released)("renders documents issued in %s as they were", async (language, digest) => {
  const font = readFileSync("public/fonts/invoice.ttf");
  const env = { ASSETS: { fetch: async () => new Response(font) } as unknown as Fetcher };
  const hash = createHash("sha256");
  for (const change of [...Object.values(documents), ...Object.values(byLaw).map(([of]) => of)]) {
    const issued = changed({ ...change, content: { ...change.content, language } });
    for (const profile of profilesOf(issued)) hash.update(invoiceUbl(issued, profile));
    hash.update(await invoicePdf(env, issued));
  }
  expect(hash.digest("hex")).toBe(digest);
});
