import * as z from "zod";
import { ShownAddress, toShownAddress } from "../../domain/address.ts";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { OptionValues } from "../../domain/option-values.ts";
import { PAID_IN_TEST_MODE, paymentMethods } from "../../domain/payment-methods.ts";
import { toPercent } from "../../domain/percent.ts";
import { toRecord } from "../../domain/record.ts";
import {
  fulfillmentStatuses,
  historyKinds,
  type OrderDiscount,
  type orderHistory,
  type orderItems,
  orderStatuses,
  type orders,
  paymentStatuses,
  productTypes,
  type StoredTaxLine,
  shippingMethodKinds,
  taxExemptions,
  type VatCheck,
  vatIdStatuses,
} from "../../platform/db/schema.ts";
import { type LineWithdrawal, lineWithdrawals } from "./returns/exemptions.ts";
import { Shipment, type ShipmentRow, toShipment } from "./shipments/schemas.ts";

export type OrderRow = typeof orders.$inferSelect & {
  items: ItemRow[];
  shipments: ShipmentRow[];
  history: HistoryRow[];
  /** Payment instructions. Null if there are none, or the order is paid. */
  paymentInstructions: string | null;
};

/** The order's columns that are shown with its lines. */
export type LinesRow = Pick<OrderRow, "id" | "number" | "status" | "createdAt" | "pricesIncludeTax" | "items">;

type HistoryRow = Omit<typeof orderHistory.$inferSelect, "id" | "orderId" | "notify"> & { returnId: number | null };

const Payment = z.object({
  provider: z.string().nullable(),
  reference: z.string().nullable().describe("Reference of the payment at the provider"),
  next_action: z
    .object({ type: z.literal("redirect"), url: z.string() })
    .nullable()
    .describe("Next step for the buyer, such as the address of the payment page"),
  instructions: z
    .string()
    .nullable()
    .describe(
      "Payment instructions for an order that is not paid online. Null once it is paid, or if the shop has none",
    ),
  paid_at: Timestamp.nullable(),
});

const HistoryStep = z.object({
  at: Timestamp,
  kind: z
    .enum(historyKinds)
    .describe(
      "Type of the entry. `status`: the status changed. `edit`: the order was edited, and with `edit_charge` or `edit_refund` the " +
        "difference of a paid order was received or refunded. `payment`: the order was paid. `payment_returned`: a late, duplicate " +
        "or incorrect payment is returned. `refund`: a refund was issued. `refund_sent`: the provider accepted it. " +
        "`refund_failed`: the provider rejected it, and it is retried. `dispute_opened`: the buyer disputed the payment at the bank. " +
        "`dispute_closed`: that ended without a refund",
    ),
  from: z.enum(orderStatuses).nullable().describe("Previous status. Null for the first entry"),
  to: z.enum(orderStatuses).describe("New status. Equal to `from` if only money moved"),
  amount: Money.nullable().describe("Amount moved or disputed, never negative. Null for `status` and `edit`"),
  currency: z.string().nullable().describe("Currency of the amount"),
  actor: z.string().describe("Author of the entry, such as user:7"),
  note: z.string().nullable(),
  return_id: z.int().nullable().describe("Id of the return that a refund settled"),
});

/** How a VAT ID was checked with VIES. */
export const ShownVatCheck = z
  .object({
    vat_id: z.string(),
    status: z
      .enum(vatIdStatuses)
      .describe(
        "Only `valid` can make an order free of tax. `unavailable`: the service did not answer. `other_name`: the ID is registered to somebody else",
      ),
    checked_at: Timestamp,
    consultation_number: z.string().nullable().describe("The service's proof of the check"),
  })
  .meta({ id: "VatCheck" });

export const toVatCheck = (check: VatCheck | null): z.output<typeof ShownVatCheck> | null =>
  check && toRecord(ShownVatCheck, check, {});

// Parts of a total, in orders and quotes.

export const TaxLine = z
  .object({
    name: z.string(),
    rate: z.number().describe("Rate in percent"),
    amount: Money,
    inclusive: z.boolean().describe("True if prices include this tax"),
    exemption: z.enum(taxExemptions).nullable().describe("Legal reason for the rate of 0. Null if there is none"),
  })
  .meta({ id: "TaxLine" });

export const OrderItem = z.object({
  id: z.int(),
  product_id: z.int(),
  name: z.string(),
  sku: z.string(),
  option_values: OptionValues,
  type: z.enum(productTypes),
  quantity: z.int(),
  unit_price: Money,
  list_price: Money.nullable().describe(
    "Catalogue price of a unit, if staff set another price. Null for all other items",
  ),
  total: Money.describe("Unit price multiplied by quantity"),
  discount: Money.describe("Discounts on this line item"),
  tax: Money.describe("Tax on this line item after discounts. Included in the price if `prices_include_tax` is true"),
  tax_lines: z.array(TaxLine),
  requires_shipping: z.boolean(),
  withdrawal: z
    .enum(lineWithdrawals)
    .describe(
      "Right to withdraw and return. All but `standard` and `sealed` are exempt: `download_begun` after `download_consent`",
    ),
  shipped_quantity: z.int().describe("Number of shipped units, including units refunded afterwards"),
  refunded_quantity: z.int().describe("Number of refunded units. Unshipped units are refunded first"),
  unshipped_quantity: z.int().describe("Number of units left to ship"),
  metadata: z.record(z.string(), z.string()).describe("Texts on the item, such as an engraving"),
});

export const ShippingMethod = z.object({
  id: z.int().nullable().describe("Id of the shipping method. Null for shipping named and priced by staff"),
  name: z.string(),
  kind: z.enum(shippingMethodKinds),
  min_days: z.int().nullable(),
  max_days: z.int().nullable(),
});

export const DiscountLine = z
  .object({
    id: z
      .int()
      .nullable()
      .describe(
        "Id of the discount. Null for a discount by staff, and for tax that is not due and was removed from prices that include it",
      ),
    code: z.string().nullable().describe("Discount code. Null for an automatic discount"),
    name: z.string(),
    amount: Money,
  })
  .meta({ id: "DiscountLine" });

export const Order = z
  .object({
    id: z.int(),
    number: z
      .string()
      .describe("Order number, such as #1001. Numbers increase in the order in which orders are placed"),
    reference: z.string().describe("Random reference, used in links because it cannot be guessed"),
    external_id: z.string().nullable().describe("Id in another system. Null if no program set one"),
    metadata: z.record(z.string(), z.string()).describe("Short texts that programs keep on the order"),
    tags: z.array(z.string()).describe("Tags by staff. Empty for buyers"),
    status: z.enum(orderStatuses),
    payment_status: z.enum(paymentStatuses),
    fulfillment_status: z.enum(fulfillmentStatuses),
    currency: z.string(),
    subtotal: Money,
    discount_total: Money.describe("Total of all discounts, on line items and shipping"),
    shipping_total: Money.describe("Shipping price before discounts, and before tax if prices exclude it"),
    shipping_discount: Money.describe("Part of `discount_total` on shipping"),
    shipping_tax: Money.describe("Part of `tax_total` on shipping"),
    tax_total: Money.describe("Tax on line items and shipping"),
    prices_include_tax: z.boolean().describe("True if prices include tax, false if tax is added"),
    total: Money.describe("Amount to pay: subtotal less discounts plus shipping, plus tax unless prices include it"),
    refunded_total: Money.describe("0, like its parts, for callers with `shipments:read` alone"),
    refunded_shipping: Money.describe(
      "Part of the refunded total that was paid for shipping. It is at most `shipping_total` less `shipping_discount`, plus `shipping_tax` if `prices_include_tax` is false",
    ),
    refunded_tax: Money.describe("Part of the refunded total that is tax"),
    tax_lines: z.array(TaxLine),
    tax_exempt_reason: z
      .string()
      .nullable()
      .describe("Reason for the tax exemption, as printed on invoices. Null if the order is taxed"),
    vat_check: ShownVatCheck.nullable().describe(
      "Check of the VAT ID in the billed address. Null if it has no effect on taxes",
    ),
    discounts: z.array(DiscountLine),
    shipping_method: ShippingMethod.nullable(),
    payment_method: z.enum(paymentMethods),
    test: z.boolean().describe("True for a test order: no money moves"),
    payment: Payment,
    customer: z.object({
      id: z.int().nullable().describe("Id of the account. Null for a guest"),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    shipping_address: ShownAddress.nullable(),
    billing_address: ShownAddress.nullable(),
    items: z.array(OrderItem),
    shipments: z.array(Shipment).describe("Shipments of the order"),
    shipment: Shipment.nullable().describe("Latest shipment of the order"),
    history: z.array(HistoryStep),
    download_consent: z
      .boolean()
      .describe(
        "True if the buyer asked for downloads at once and knows that each one used ends its right of withdrawal",
      ),
    accepted_terms: z
      .int()
      .nullable()
      .describe(
        "Version of the shop's terms that the buyer accepted, for `GET /pages/terms`. Null if none was asked for",
      ),
    expires_at: Timestamp.nullable().describe(
      "When payment is due. A pending order expires then. An order that ships before payment does not. Null once it is paid",
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Order" });
export type Order = z.output<typeof Order>;

const toHistoryStep = (
  { at, kind, from, to, amount, currency, actor, note, returnId }: HistoryRow,
  ofOrder: string,
) => ({
  at: iso(at),
  kind,
  from,
  to,
  amount: toDecimalOrNull(amount, currency ?? ofOrder),
  currency: amount === null ? null : (currency ?? ofOrder),
  actor,
  note,
  return_id: returnId,
});

/** True if no money moved for an order: it is paid by the test card, or was paid at a provider in test mode. */
export const isTestPayment = ({ paymentMethod, history }: Pick<OrderRow, "paymentMethod" | "history">): boolean =>
  paymentMethod === "test_card" || history.some(({ kind, note }) => kind === "payment" && note === PAID_IN_TEST_MODE);

/** An order for staff, with the tags that its buyer does not see. */
export const toStaffOrder = (row: OrderRow): Order => ({ ...toOrder(row), tags: row.tags });

export const toOrder = (row: OrderRow): Order =>
  toRecord(Order, row, {
    tags: [],
    tax_lines: toTaxLines(row.taxLines, row.pricesIncludeTax),
    vat_check: toVatCheck(row.vatCheck),
    discounts: toDiscountLines(row.discounts),
    test: isTestPayment(row),
    payment: {
      provider: row.paymentMethod === "wallet" ? "wallet" : row.paymentProvider,
      reference: row.paymentReference,
      next_action: row.paymentUrl === null ? null : { type: "redirect" as const, url: row.paymentUrl },
      instructions: row.paymentInstructions,
      paid_at: isoOrNull(row.paidAt),
    },
    customer: { id: row.userId, email: row.customerEmail, name: row.customerName },
    shipping_address: row.shippingAddress && toShownAddress(row.shippingAddress),
    billing_address: row.billingAddress && toShownAddress(row.billingAddress),
    items: row.items.map((item) => toOrderItem(item, row.pricesIncludeTax)),
    shipments: row.shipments.map(toShipment),
    shipment: row.shipments.map(toShipment).at(-1) ?? null,
    history: row.history.map((step) => toHistoryStep(step, row.currency)),
  });

export const toTaxLines = (lines: readonly StoredTaxLine[], inclusive: boolean): z.output<typeof TaxLine>[] =>
  lines.map(({ name, rate, amount, exemption = null }) => ({
    name,
    rate: toPercent(rate),
    amount: toDecimal(amount),
    inclusive,
    exemption,
  }));

export const toDiscountLines = (lines: readonly OrderDiscount[]): z.output<typeof DiscountLine>[] =>
  lines.map(({ id, code, name, amount }) => ({ id, code, name, amount: toDecimal(amount) }));

/** An order line without columns that repeat the order or only matter while it is placed. */
export type ItemRow = Omit<
  typeof orderItems.$inferSelect,
  "orderId" | "categoryId" | "taxClass" | "weightGrams" | "cost" | "license" | "withdrawal"
> & { withdrawal: LineWithdrawal };

/** Unshipped units of a line. Refunds count against unshipped units first. */
export const unshippedUnits = ({ requiresShipping, quantity, refundedQuantity, shippedQuantity }: ItemRow): number =>
  requiresShipping ? Math.max(0, quantity - refundedQuantity - shippedQuantity) : 0;

export const toOrderItem = (item: ItemRow, pricesIncludeTax: boolean): z.output<typeof OrderItem> =>
  toRecord(OrderItem, item, {
    tax_lines: toTaxLines(item.taxLines, pricesIncludeTax),
    unshipped_quantity: unshippedUnits(item),
  });
