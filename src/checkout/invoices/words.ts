import type { Address } from "../../domain/address.ts";
import { formatMoney } from "../../domain/money.ts";
import { isManualMethod, paymentTerms } from "../../domain/payment-methods.ts";
import { formatPercent } from "../../domain/percent.ts";
import { type InvoiceLine, type InvoiceRow, type TaxGroup, taxOfLine } from "./document.ts";
import type { InvoiceSeller } from "./tables.ts";

// Texts of invoices, on the page and in the PDF.

const titles = {
  invoice: "Invoice",
  credit_note: "Credit note",
  corrected_invoice: "Corrected invoice",
} satisfies Record<InvoiceRow["type"], string>;

export const titleOfInvoice = ({ type, number }: InvoiceRow): string => `${titles[type]} ${number}`;

/** Facts about the seller that the law requires beside name and address. */
export const sellerFacts = ({ vatId, taxNumber, registration, email }: InvoiceSeller): string[] => [
  ...(vatId === null ? [] : [`VAT ID ${vatId}`]),
  ...(taxNumber === null ? [] : [`Tax number ${taxNumber}`]),
  ...(registration === null ? [] : [registration]),
  ...(email === null ? [] : [email]),
];

export const buyerFacts = ({ vat_id: vatId }: Pick<Address, "vat_id">): string[] => (vatId ? [`VAT ID ${vatId}`] : []);

/** Sentences below the sums: why there is no tax, and the seller's terms for businesses. */
export function notesOfInvoice({ content, seller }: InvoiceRow, lines: readonly TaxGroup[]): string[] {
  const { taxExemptReason: reason, billingAddress, shippingAddress } = content;
  const isByLaw = lines.some(({ taxes }) => taxes.some(({ exemption }) => exemption));
  const billed = billingAddress ?? shippingAddress;
  const terms = billed?.company || billed?.vat_id ? seller.businessTerms : null;
  return [reason === null || isByLaw ? reason : `Exempt from tax: ${reason}`, terms ?? null].filter(
    (note) => note !== null,
  );
}

/** How the invoice was or is to be paid. A credit note asks for nothing. */
export function paymentOfInvoice({ type, content, seller }: InvoiceRow, formatDate: (day: string) => string): string[] {
  const { paymentMethod, paidOn, dueOn } = content;
  const method = paymentTerms[paymentMethod].label;
  if (paidOn !== null) return [method, `paid ${formatDate(paidOn)}`];
  if (type === "credit_note") return [method];
  const due = dueOn === null || paymentMethod === "cash" ? [] : [`due ${formatDate(dueOn)}`];
  return [method, ...due, ...(isManualMethod(paymentMethod) && seller.iban !== null ? [`IBAN ${seller.iban}`] : [])];
}

export const rateOfLine = ({ taxes }: InvoiceLine): string => taxes.map(({ rate }) => formatPercent(rate)).join(" + ");

type InvoiceSum = { text: string; minor: number; whole?: true };

/** Net amount and taxes by rate, and the total. */
export const invoiceSums = (
  { total, currency }: Pick<InvoiceRow, "total" | "currency">,
  groups: readonly TaxGroup[],
): InvoiceSum[] => [
  { text: "Net", minor: total - groups.reduce((tax, group) => tax + taxOfLine(group), 0) },
  ...groups.flatMap(({ net, taxes }) =>
    taxes.map(({ name, rate, amount }) => ({
      text: `${name} ${formatPercent(rate)} on ${formatMoney(net, currency)}`,
      minor: amount,
    })),
  ),
  { text: "Total", minor: total, whole: true },
];
