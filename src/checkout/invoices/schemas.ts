import * as z from "zod";
import { ShownAddress, toShownAddress } from "../../domain/address.ts";
import { IdText, iso, oneSpan, spanFields, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal } from "../../domain/money.ts";
import { OptionValues } from "../../domain/option-values.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { toPercent } from "../../domain/percent.ts";
import { type StoredTaxLine, taxExemptions } from "../../platform/db/schema.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { type InvoiceRow, linesOfInvoice, taxGroups } from "./document.ts";
import { invoiceTypes } from "./tables.ts";

const Day = z.string().meta({ format: "date" });

const InvoiceTax = z.object({
  name: z.string(),
  rate: z.number().describe("Rate in percent"),
  amount: Money,
  exemption: z.enum(taxExemptions).nullable().describe("Legal reason for the rate of 0. Null if there is none"),
});

/** An invoice as issued. It never changes. */
export const Invoice = z
  .object({
    id: z.int(),
    number: z.string().describe("Number without gaps within its year"),
    type: z
      .enum(invoiceTypes)
      .describe(
        "`invoice` is an order's first. After a change of the order, `credit_note` takes back a part, with negative amounts, and `corrected_invoice` adds the difference",
      ),
    corrects: z
      .object({ number: z.string(), issued_on: Day })
      .nullable()
      .describe("The order's first invoice. Null if it is this one"),
    order_id: z.int(),
    order_number: z.string(),
    issued_at: Timestamp,
    issued_on: Day.describe("Date of issue, in the shop's time zone"),
    delivered_on: Day.nullable().describe("Date of the first parcel, or of the payment if nothing is shipped"),
    paid_on: Day.nullable().describe("Date of the payment. Null if the invoice was issued before"),
    due_on: Day.nullable(),
    payment_method: z.enum(paymentMethods),
    currency: z.string(),
    seller: z.object({
      name: z.string(),
      address: ShownAddress,
      email: z.string().nullable(),
      vat_id: z.string().nullable(),
      tax_number: z.string().nullable(),
      registration: z.string().nullable(),
      iban: z.string().nullable(),
      business_terms: z.string().nullable(),
    }),
    buyer: z.object({
      name: z.string().nullable(),
      email: z.string().nullable(),
      billing_address: ShownAddress.nullable(),
      shipping_address: ShownAddress.nullable(),
    }),
    lines: z.array(
      z.object({
        name: z.string(),
        sku: z.string().nullable(),
        option_values: OptionValues,
        quantity: z.int(),
        unit_price: Money.nullable().describe(
          "Price of a unit before discounts, with tax if prices include it. Without tax and after discounts on a line without tax",
        ),
        net: Money.describe("Amount without tax, after discounts"),
        tax_lines: z.array(InvoiceTax),
      }),
    ),
    taxes: z
      .array(z.object({ net: Money, tax_lines: z.array(InvoiceTax) }))
      .describe("Net amount and tax by rate. `tax_lines` is empty for amounts without tax"),
    net_total: Money,
    tax_total: Money,
    total: Money,
    tax_exempt_reason: z.string().nullable(),
  })
  .meta({ id: "Invoice" });

const toTaxes = (taxes: readonly StoredTaxLine[]) =>
  taxes.map(({ name, rate, amount, exemption = null }) => ({
    name,
    rate: toPercent(rate),
    amount: toDecimal(amount),
    exemption,
  }));

export function toInvoice(row: InvoiceRow): z.output<typeof Invoice> {
  const { seller, content, corrects, total, tax } = row;
  const lines = linesOfInvoice(row);
  return {
    id: row.id,
    number: row.number,
    type: row.type,
    corrects: corrects && { number: corrects.number, issued_on: corrects.issuedOn },
    order_id: row.orderId,
    order_number: content.number,
    issued_at: iso(row.issuedAt),
    issued_on: row.issuedOn,
    delivered_on: content.deliveredOn,
    paid_on: content.paidOn,
    due_on: content.dueOn,
    payment_method: content.paymentMethod,
    currency: row.currency,
    seller: {
      name: seller.name,
      address: toShownAddress(seller.address),
      email: seller.email,
      vat_id: seller.vatId,
      tax_number: seller.taxNumber,
      registration: seller.registration,
      iban: seller.iban,
      business_terms: seller.businessTerms ?? null,
    },
    buyer: {
      name: content.customerName,
      email: content.customerEmail,
      billing_address: content.billingAddress && toShownAddress(content.billingAddress),
      shipping_address: content.shippingAddress && toShownAddress(content.shippingAddress),
    },
    lines: lines.map(({ name, sku, options, quantity, unitPrice, net, taxes }) => ({
      name,
      sku,
      option_values: options,
      quantity,
      net: toDecimal(net),
      tax_lines: toTaxes(taxes),
      unit_price: unitPrice === null ? null : toDecimal(unitPrice),
    })),
    taxes: taxGroups(lines).map(({ net, taxes }) => ({ net: toDecimal(net), tax_lines: toTaxes(taxes) })),
    net_total: toDecimal(total - tax),
    tax_total: toDecimal(tax),
    total: toDecimal(total),
    tax_exempt_reason: content.taxExemptReason,
  };
}

export const MyInvoicesQuery = z.strictObject({ ...pageFields, order_id: IdText.optional() });
export type MyInvoicesQuery = z.output<typeof MyInvoicesQuery>;

export const invoiceFilters = { order_id: IdText.optional(), type: z.enum(invoiceTypes).optional(), ...spanFields };

export const InvoicesQuery = z.strictObject({ ...pageFields, ...invoiceFilters }).refine(...oneSpan);
export type InvoicesQuery = z.output<typeof InvoicesQuery>;
export type InvoiceFilters = Omit<InvoicesQuery, keyof typeof pageFields>;

/** Numbers of a year, and whether one is missing. */
export const InvoiceSeries = z
  .object({
    year: z.int(),
    issued: z.int(),
    last: z.int(),
    complete: z.boolean().describe("True if no number is missing"),
  })
  .meta({ id: "InvoiceSeries" });
