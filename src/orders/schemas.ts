import * as z from "zod";
import {
  fulfillmentStatuses,
  historyKinds,
  type orderHistory,
  type orderItems,
  orderStatuses,
  type orders,
  paymentStatuses,
  productTypes,
} from "../db/schema.ts";
import { Address, ShownAddress, toShownAddress } from "../domain/address.ts";
import { Email } from "../domain/email.ts";
import { Id, IdText, iso, isoOrNull, line, Timestamp } from "../domain/fields.ts";
import { Money, Price, toDecimal, toDecimalOrNull } from "../domain/money.ts";
import { paymentMethods } from "../domain/payment-methods.ts";
import { MAX_LINES, Quantity } from "../domain/quantity.ts";
import { coded } from "../domain/rules.ts";
import { pageFields } from "../http/pagination.ts";

const OrderLine = z.strictObject({
  product_id: Id,
  quantity: Quantity,
  price: Price.describe("What the buyer saw: it has to be the catalogue's price still"),
});

/** A list that is measured before it is read: ten thousand lines cost nothing. */
const measured = <Line extends z.ZodType>(line: Line) => z.array(z.unknown()).min(1).max(MAX_LINES).pipe(z.array(line));

/** Arguments of `refine` that refuse an address together with the id of one. */
const oneAddress = (name: "shipping_address" | "billing_address") => {
  const path: PropertyKey[] = [`${name}_id`];
  const isOne = (order: { [Name in string]?: unknown }) => !order[name] || order[`${name}_id`] === undefined;
  return [isOne, { path, error: `is instead of ${name}: send one of the two`, ...coded("not_applicable") }] as const;
};

/** Prices are read as minor units. */
export const NewOrder = z
  .strictObject({
    items: measured(OrderLine),
    shipping_address: Address.nullish().describe("Needed when anything is sent"),
    shipping_address_id: Id.optional().describe("Instead: one of the account's address book"),
    billing_address: Address.nullish().describe("Who the invoice is for, where that is somebody else"),
    billing_address_id: Id.optional().describe("Instead: one of the account's address book"),
    payment_method: z.enum(paymentMethods),
    customer: z
      .strictObject({ email: Email, name: line(100) })
      .optional()
      .describe("Who a guest order is for"),
  })
  .refine(...oneAddress("shipping_address"))
  .refine(...oneAddress("billing_address"))
  .meta({ id: "NewOrder" });
export type NewOrder = z.output<typeof NewOrder>;

export const OrdersQuery = z.strictObject({ ...pageFields, status: z.enum(orderStatuses).optional() });
export type OrdersQuery = z.output<typeof OrdersQuery>;

export const OrderParam = z.object({ orderId: IdText });

type ItemColumns =
  | "id"
  | "productId"
  | "name"
  | "sku"
  | "type"
  | "quantity"
  | "unitPrice"
  | "total"
  | "refundedQuantity";

export type OrderRow = typeof orders.$inferSelect & {
  items: Pick<typeof orderItems.$inferSelect, ItemColumns>[];
  history: HistoryRow[];
};

type HistoryRow = Omit<typeof orderHistory.$inferSelect, "id" | "orderId">;

const OrderItem = z.object({
  id: z.int(),
  product_id: z.int(),
  name: z.string(),
  sku: z.string(),
  type: z.enum(productTypes),
  quantity: z.int(),
  unit_price: Money,
  total: Money,
  refunded_quantity: z.int(),
});

const Payment = z.object({
  provider: z.string().nullable(),
  reference: z.string().nullable().describe("What the provider calls it"),
  next_action: z
    .object({ type: z.literal("redirect"), url: z.string() })
    .nullable()
    .describe("Where the buyer pays"),
  paid_at: Timestamp.nullable(),
});

const Shipment = z.object({
  carrier: z.string(),
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  shipped_at: Timestamp,
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
    discount_total: Money,
    shipping_total: Money,
    tax_total: Money,
    total: Money,
    refunded_total: Money,
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
    shipment: Shipment.nullable(),
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
  total: toDecimal(row.total),
  refunded_total: toDecimal(row.refundedTotal),
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
  items: row.items.map((item) => ({
    id: item.id,
    product_id: item.productId,
    name: item.name,
    sku: item.sku,
    type: item.type,
    quantity: item.quantity,
    unit_price: toDecimal(item.unitPrice),
    total: toDecimal(item.total),
    refunded_quantity: item.refundedQuantity,
  })),
  shipment: row.shipment,
  history: row.history.map((step) => toHistoryStep(step, row.currency)),
  expires_at: isoOrNull(row.expiresAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
