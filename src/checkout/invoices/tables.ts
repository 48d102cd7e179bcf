import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Address } from "../../domain/address.ts";
import type { Language } from "../../domain/language.ts";
import type { OptionValue } from "../../domain/option-values.ts";
import type { PaymentMethod } from "../../domain/payment-methods.ts";
import { foreignId, rowId } from "../../platform/db/columns.ts";
import { orders, type StoredTaxLine } from "../orders/tables.ts";

export const invoiceTypes = ["invoice", "credit_note", "corrected_invoice"] as const;

/** Numbers of a year start above the year times this. The rest is the sequence. */
export const YEAR_OF_NUMBER = 1_000_000_000;

/** Amounts of an order in minor units, and what was refunded of them. */
export type InvoicedGoods = {
  items: {
    id: number;
    name: string;
    sku: string;
    optionValues: OptionValue[];
    quantity: number;
    refundedQuantity: number;
    unitPrice: number;
    total: number;
    discount: number;
    tax: number;
    taxLines: StoredTaxLine[];
  }[];
  shippingName: string | null;
  shippingTotal: number;
  shippingDiscount: number;
  shippingTax: number;
  taxTotal: number;
  taxLines: StoredTaxLine[];
  total: number;
  refundedTotal: number;
  refundedShipping: number;
  refundedTax: number;
};

/** The shop as it was when the invoice was issued. */
export type InvoiceSeller = {
  name: string;
  address: Address;
  email: string | null;
  vatId: string | null;
  taxNumber: string | null;
  registration: string | null;
  iban: string | null;
  /** Null in older invoices too. */
  businessTerms?: string | null;
};

/** The order as it was when the invoice was issued. */
export type InvoicedOrder = {
  number: string;
  /** Language of the document. Older invoices have none. */
  language?: Language;
  /** Days of the shop, such as 2026-11-30. */
  orderedOn: string;
  /** Day of the first parcel, or of the payment if nothing is shipped. */
  deliveredOn: string | null;
  paidOn: string | null;
  dueOn: string | null;
  paymentMethod: PaymentMethod;
  customerName: string | null;
  customerEmail: string | null;
  billingAddress: Address | null;
  shippingAddress: Address | null;
  country: string | null;
  pricesIncludeTax: boolean;
  taxExemptReason: string | null;
  /** Null for an order that came to nothing. */
  goods: InvoicedGoods | null;
};

/** The order's first invoice, and the amounts that its invoices so far add up to. */
export type CorrectedInvoice = { number: string; issuedOn: string; goods: InvoicedGoods | null };

/**
 * Invoices and their corrections. Rows never change, and contain everything that is shown.
 *
 * Contents that article 226 of directive 2006/112/EC and § 14 (4) UStG require: both parties' names and addresses (`seller`,
 * `billingAddress`), the seller's tax number or VAT ID, date of issue, number, goods with quantities, date of delivery or
 * advance payment (`deliveredOn`, `paidOn`), net amounts after discounts and tax by rate (`goods`), or the reason for none
 * (`taxExemptReason`). An order without an address has only the buyer's name and e-mail address, which suffices up to 250 euros
 * (§ 33 UStDV).
 */
export const invoices = sqliteTable(
  "invoices",
  {
    /** The year and the sequence of the number. */
    id: rowId(),
    number: text().notNull(),
    orderId: foreignId("order_id", () => orders.id),
    type: text({ enum: invoiceTypes }).notNull(),
    issuedAt: integer("issued_at").notNull(),
    /** The shop's day, such as 2026-11-30. */
    issuedOn: text("issued_on").notNull(),
    currency: text().notNull(),
    /** Change of the order's total since its previous invoice. Negative for a credit note. */
    total: integer().notNull(),
    /** Part of `total` that is tax. */
    tax: integer().notNull(),
    seller: text({ mode: "json" }).$type<InvoiceSeller>().notNull(),
    content: text({ mode: "json" }).$type<InvoicedOrder>().notNull(),
    /** Null for the first invoice of an order. */
    corrects: text({ mode: "json" }).$type<CorrectedInvoice>(),
  },
  (table) => [
    check(
      "invoice_number_ends_with_sequence",
      sql.raw(`"number" LIKE '%' || ("id" / ${YEAR_OF_NUMBER}) || '-' || printf('%05d', "id" % ${YEAR_OF_NUMBER})`),
    ),
    check(
      "invoice_type_follows_total",
      sql.raw(`("type" = 'invoice') = ("corrects" IS NULL) AND ("type" = 'credit_note') = ("total" < 0)`),
    ),
    index("invoices_by_order").on(table.orderId),
  ],
);
