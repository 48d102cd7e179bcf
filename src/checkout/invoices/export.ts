import { toDecimal } from "../../domain/money.ts";
import { toPercent } from "../../domain/percent.ts";
import { rateSum } from "../pricing/public.ts";
import { type InvoiceRow, linesOfInvoice, taxGroups, taxOfLine } from "./document.ts";

/** Columns for an accountant. docs/invoices.md says which of DATEV's fields each one is. */
export const invoiceColumns = [
  "number",
  "type",
  "issued_on",
  "delivered_on",
  "corrects",
  "order_number",
  "buyer",
  "country",
  "buyer_vat_id",
  "payment_method",
  "paid_on",
  "currency",
  "tax_rate",
  "tax_exemption",
  "net",
  "tax",
  "gross",
  "debit_or_credit",
];

/** A row for each rate of tax on an invoice. Gross is without sign: a credit note is credited ("H"). */
export const toInvoiceCells = (row: InvoiceRow) =>
  taxGroups(linesOfInvoice(row)).map((group) => {
    const { content } = row;
    const [tax, address] = [taxOfLine(group), content.billingAddress ?? content.shippingAddress];
    return {
      number: row.number,
      type: row.type,
      issued_on: row.issuedOn,
      delivered_on: content.deliveredOn,
      corrects: row.corrects?.number ?? null,
      order_number: content.number,
      buyer: address?.company ?? address?.name ?? content.customerName ?? content.customerEmail,
      country: content.country,
      buyer_vat_id: address?.vat_id ?? null,
      payment_method: content.paymentMethod,
      paid_on: content.paidOn,
      currency: row.currency,
      tax_rate: toPercent(rateSum(group.taxes)),
      tax_exemption: group.taxes.find(({ exemption }) => exemption)?.exemption ?? null,
      net: toDecimal(group.net),
      tax: toDecimal(tax),
      gross: toDecimal(Math.abs(group.net + tax)),
      debit_or_credit: group.net + tax < 0 ? "H" : "S",
    };
  });
