import { type Address, addressLines } from "../../domain/address.ts";
import { describeOptions } from "../../domain/option-values.ts";
import { isManualMethod } from "../../domain/payment-methods.ts";
import { formatIn } from "../../domain/time.ts";
import { capitalized } from "../../platform/administration/resource.ts";
import { invoiceTitles, methodNames, type Sentence, writerIn } from "../../platform/email/messages.ts";
import {
  ADJUSTMENT_NAME,
  type InvoiceLine,
  type InvoiceRow,
  linesOfInvoice,
  SHIPPING_NAME,
  type TaxGroup,
  taxOfLine,
} from "./document.ts";

// Texts of invoices, on the page and in the PDF, in the language of their buyer.

/** Writes texts, dates and amounts as an invoice does. Older invoices are in English. */
export function writerOf({ content, currency }: Pick<InvoiceRow, "content" | "currency">) {
  const writer = writerIn(content.language ?? "en");
  const locale = writer.language === "en" ? undefined : writer.language;
  return {
    ...writer,
    date: (day: string): string =>
      formatIn({ day: "numeric", month: "short", year: "numeric" }, Date.parse(day), "UTC", locale),
    amount: (minor: number): string => writer.money(minor, currency),
  };
}

export const titleOfInvoice = (invoice: InvoiceRow): string =>
  writerOf(invoice).say(invoiceTitles[invoice.type], { number: invoice.number });

/** Dates of an invoice, and the documents that it belongs to. */
export function factsOfInvoice(invoice: InvoiceRow): string[] {
  const { say, date } = writerOf(invoice);
  const { content, corrects, issuedOn } = invoice;
  return [
    say("Issued {date}", { date: date(issuedOn) }),
    ...(content.deliveredOn === null ? [] : [say("Delivered {date}", { date: date(content.deliveredOn) })]),
    say("Order {order} of {date}", { order: content.number, date: date(content.orderedOn) }),
    ...(corrects
      ? [say("Corrects invoice {number} of {date}", { number: corrects.number, date: date(corrects.issuedOn) })]
      : []),
  ];
}

const linesOfAddress = (invoice: InvoiceRow, address: Address, home: string | null): string[] =>
  addressLines(address, home, writerOf(invoice).language);

/** Address of the seller below its name, and facts that the law requires beside it. */
export function sellerLines(invoice: InvoiceRow): string[] {
  const { say } = writerOf(invoice);
  const { name, address, vatId, taxNumber, registration, email } = invoice.seller;
  return [
    ...linesOfAddress(invoice, address, null).filter((line) => line !== name),
    ...vatIdLine(invoice, vatId),
    ...(taxNumber === null ? [] : [say("Tax number {number}", { number: taxNumber })]),
    ...[registration, email].filter((fact) => fact !== null),
  ];
}

/** Titles and lines of the buyer's addresses and the payment. */
export function partiesOfInvoice(invoice: InvoiceRow): [title: string, lines: string[]][] {
  const { say } = writerOf(invoice);
  const { billingAddress, shippingAddress, customerName, customerEmail, country } = invoice.content;
  const billed = billingAddress ?? shippingAddress;
  const buyer = billed
    ? [...linesOfAddress(invoice, billed, country), ...vatIdLine(invoice, billed.vat_id ?? null)]
    : [customerName, customerEmail].filter((line) => line !== null);
  return [
    [say("Bill to"), buyer],
    ...(shippingAddress
      ? [[say("Ship to"), linesOfAddress(invoice, shippingAddress, country)] satisfies [string, string[]]]
      : []),
    [say("Payment"), paymentOfInvoice(invoice)],
  ];
}

const vatIdLine = (invoice: InvoiceRow, id: string | null): string[] =>
  id === null ? [] : [writerOf(invoice).say("VAT ID {id}", { id })];

/** Sentences below the sums: why there is no tax, and the seller's terms for businesses. */
export function notesOfInvoice(invoice: InvoiceRow, lines: readonly TaxGroup[]): string[] {
  const { content, seller } = invoice;
  const { taxExemptReason: reason, billingAddress, shippingAddress } = content;
  const isByLaw = lines.some(({ taxes }) => taxes.some(({ exemption }) => exemption));
  const ofStaff = reason === null ? null : writerOf(invoice).say("Exempt from tax: {reason}", { reason });
  const billed = billingAddress ?? shippingAddress;
  const terms = billed?.company || billed?.vat_id ? seller.businessTerms : null;
  return [isByLaw ? reason : ofStaff, terms ?? null].filter((note) => note !== null);
}

/** How the invoice was or is to be paid. A credit note asks for nothing. */
export function paymentOfInvoice(invoice: InvoiceRow): string[] {
  const { say, date } = writerOf(invoice);
  const { type, content, seller } = invoice;
  const { paymentMethod, paidOn, dueOn } = content;
  const method = capitalized(say(methodNames[paymentMethod]));
  if (type === "credit_note") return [method];
  if (paidOn !== null) return [method, capitalized(say("paid {date}", { date: date(paidOn) }))];
  const due = dueOn === null || paymentMethod === "cash" ? [] : [capitalized(say("due {date}", { date: date(dueOn) }))];
  return [method, ...due, ...(isManualMethod(paymentMethod) && seller.iban !== null ? [`IBAN ${seller.iban}`] : [])];
}

/** Titles of the columns of an invoice's lines. */
export const columnsOfInvoice = ["Item", "Quantity", "Price", "Tax", "Total"] as const satisfies Sentence[];

/** The table of an invoice: each line's name, what names its variant, and its cells below the other columns. */
export function rowsOfInvoice(invoice: InvoiceRow): { name: string; details: string[]; cells: string[] }[] {
  const { amount: money } = writerOf(invoice);
  const { pricesIncludeTax } = invoice.content;
  return linesOfInvoice(invoice).map((line) => ({
    name: nameOfLine(invoice, line),
    details: [describeOptions(line.options), line.sku ?? ""].filter(Boolean),
    cells: [
      String(line.quantity || ""),
      line.unitPrice === null ? "" : money(line.unitPrice),
      line.taxes.map(({ rate }) => writerOf(invoice).percent(rate)).join(" + "),
      money(line.net + (pricesIncludeTax ? taxOfLine(line) : 0)),
    ],
  }));
}

/** Name of a line. Those of products and shipping methods are the shop's own words. */
export function nameOfLine(invoice: InvoiceRow, { name, sku }: InvoiceLine): string {
  if (sku !== null) return name;
  const { say } = writerOf(invoice);
  return name === SHIPPING_NAME || name === ADJUSTMENT_NAME ? say(name) : say("Shipping: {method}", { method: name });
}

type InvoiceSum = { text: string; minor: number; whole?: true };

/** Net amount and taxes by rate, and the total. */
export function invoiceSums(invoice: InvoiceRow, groups: readonly TaxGroup[]): InvoiceSum[] {
  const { say, taxName, amount: money } = writerOf(invoice);
  const { total } = invoice;
  return [
    { text: say("Net"), minor: total - groups.reduce((tax, group) => tax + taxOfLine(group), 0) },
    ...groups.flatMap(({ net, taxes }) =>
      taxes.map(({ name, rate, amount }) => ({
        text: say("{tax} on {amount}", { tax: taxName(name, rate), amount: money(net) }),
        minor: amount,
      })),
    ),
    { text: say("Total"), minor: total, whole: true },
  ];
}
