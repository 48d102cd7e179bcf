import * as z from "zod";
import { ShownAddress, toShownAddress } from "../../domain/address.ts";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import {
  fulfillmentStatuses,
  historyKinds,
  type orderHistory,
  orderStatuses,
  type orders,
  paymentStatuses,
} from "../../platform/db/schema.ts";
import { type ItemRow, OrderItem, toOrderItem } from "./item-schemas.ts";
import { Shipment, type ShipmentRow, toShipment } from "./shipments/schemas.ts";
import { DiscountLine, ShippingMethod, TaxLine, toDiscountLines, toTaxLines } from "./total-schemas.ts";

export type OrderRow = typeof orders.$inferSelect & {
  items: ItemRow[];
  shipments: ShipmentRow[];
  history: HistoryRow[];
};

/** What is told of an order beside its lines. */
export type LinesRow = Pick<OrderRow, "id" | "number" | "status" | "createdAt" | "pricesIncludeTax" | "items">;

type HistoryRow = Omit<typeof orderHistory.$inferSelect, "id" | "orderId">;

const Payment = z.object({
  provider: z.string().nullable(),
  reference: z.string().nullable().describe("What the provider calls it"),
  next_action: z
    .object({ type: z.literal("redirect"), url: z.string() })
    .nullable()
    .describe("Where the buyer pays"),
  paid_at: Timestamp.nullable(),
});

const HistoryStep = z.object({
  at: Timestamp,
  kind: z
    .enum(historyKinds)
    .describe(
      "`status`: it moved, and no money with it. `payment`: it was paid, which moved it. `payment_returned`: money that " +
        "came too late, twice or in another amount goes back. `refund`: money goes back, by a provider once it was " +
        "`refund_sent`; `refund_failed` is tried again",
    ),
  from: z.enum(orderStatuses).nullable().describe("Null for the first"),
  to: z.enum(orderStatuses).describe("The same as `from` when only money moved"),
  amount: Money.nullable().describe("How much money moved: never negative, null for `status`"),
  currency: z.string().nullable().describe("Of the amount"),
  actor: z.string().describe("Whose doing it was, such as user:7"),
  note: z.string().nullable(),
});

export const Order = z
  .object({
    id: z.int(),
    number: z.string().describe("What it is called when people speak of it"),
    status: z.enum(orderStatuses),
    payment_status: z.enum(paymentStatuses),
    fulfillment_status: z.enum(fulfillmentStatuses),
    currency: z.string(),
    subtotal: Money,
    discount_total: Money.describe("Off the lines and off shipping"),
    shipping_total: Money.describe("Before a discount of it"),
    tax_total: Money.describe("Of the lines and of shipping"),
    prices_include_tax: z.boolean().describe("Whether the tax is part of the prices, or comes on top"),
    total: Money.describe("Subtotal less discounts, with shipping, and with tax unless prices include it"),
    refunded_total: Money,
    refunded_shipping: Money.describe("Of the refunded total: what was paid for shipping"),
    refunded_tax: Money.describe("Of the refunded total: tax"),
    tax_lines: z.array(TaxLine),
    tax_exempt_reason: z.string().nullable(),
    discounts: z.array(DiscountLine),
    shipping_method: ShippingMethod.nullable(),
    payment_method: z.enum(paymentMethods),
    payment: Payment,
    customer: z.object({
      id: z.int().nullable().describe("Null for a guest"),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    shipping_address: ShownAddress.nullable(),
    billing_address: ShownAddress.nullable(),
    items: z.array(OrderItem),
    shipments: z.array(Shipment).describe("The parcels in which it was sent"),
    shipment: Shipment.nullable().describe("The latest of them"),
    history: z.array(HistoryStep),
    expires_at: Timestamp.nullable().describe("Until when it can be paid"),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Order" });
export type Order = z.output<typeof Order>;

const toHistoryStep = ({ at, kind, from, to, amount, currency, actor, note }: HistoryRow, ofOrder: string) => ({
  at: iso(at),
  kind,
  from,
  to,
  amount: toDecimalOrNull(amount),
  currency: amount === null ? null : (currency ?? ofOrder),
  actor,
  note,
});

export const toOrder = (row: OrderRow): Order => ({
  id: row.id,
  number: row.number,
  status: row.status,
  payment_status: row.paymentStatus,
  fulfillment_status: row.fulfillmentStatus,
  currency: row.currency,
  subtotal: toDecimal(row.subtotal),
  discount_total: toDecimal(row.discountTotal),
  shipping_total: toDecimal(row.shippingTotal),
  tax_total: toDecimal(row.taxTotal),
  prices_include_tax: row.pricesIncludeTax,
  total: toDecimal(row.total),
  refunded_total: toDecimal(row.refundedTotal),
  refunded_shipping: toDecimal(row.refundedShipping),
  refunded_tax: toDecimal(row.refundedTax),
  tax_lines: toTaxLines(row.taxLines, row.pricesIncludeTax),
  tax_exempt_reason: row.taxExemptReason,
  discounts: toDiscountLines(row.discounts),
  shipping_method: row.shippingMethod,
  payment_method: row.paymentMethod,
  payment: {
    provider: row.paymentMethod === "wallet" ? "wallet" : row.paymentProvider,
    reference: row.paymentReference,
    next_action: row.paymentUrl === null ? null : { type: "redirect" as const, url: row.paymentUrl },
    paid_at: isoOrNull(row.paidAt),
  },
  customer: { id: row.userId, email: row.customerEmail, name: row.customerName },
  shipping_address: row.shippingAddress && toShownAddress(row.shippingAddress),
  billing_address: row.billingAddress && toShownAddress(row.billingAddress),
  items: row.items.map((item) => toOrderItem(item, row.pricesIncludeTax)),
  shipments: row.shipments.map(toShipment),
  shipment: row.shipments.map(toShipment).at(-1) ?? null,
  history: row.history.map((step) => toHistoryStep(step, row.currency)),
  expires_at: isoOrNull(row.expiresAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
