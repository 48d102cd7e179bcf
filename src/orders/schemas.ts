import * as z from "zod";
import { Email } from "../auth/schemas.ts";
import { CartHeaders } from "../cart-token.ts";
import { type orderHistory, type orderItems, orderStatuses, type orders, paymentMethods } from "../db/schema.ts";
import { Id, IdText, iso, isoOrNull, line } from "../http/fields.ts";
import { pageFields } from "../http/pagination.ts";
import { IdempotencyHeaders } from "../idempotency/header.ts";
import { Price, toDecimal } from "../money.ts";
import { MAX_LINES, Quantity } from "../quantities.ts";

const OrderLine = z.strictObject({
  product_id: Id,
  quantity: Quantity,
  /** What the buyer saw: it has to be the catalogue's price still. */
  price: Price,
});

export const ShippingAddress = z.strictObject({ name: line(100), address: line(200), city: line(100), zip: line(20) });

/** Prices are read as minor units. The list is measured before it is read: ten thousand lines cost nothing. */
export const NewOrder = z.strictObject({
  items: z.array(z.unknown()).min(1).max(MAX_LINES).pipe(z.array(OrderLine)),
  shipping_address: ShippingAddress.nullish(),
  payment_method: z.enum(paymentMethods),
  /** Who a guest order is for. */
  customer: z.strictObject({ email: Email, name: line(100) }).optional(),
});
export type NewOrder = z.output<typeof NewOrder>;

/** A guest order may name the cart that it empties; any order may come with a key that makes it happen once. */
export const OrderHeaders = z.object({ ...CartHeaders.shape, ...IdempotencyHeaders.shape });

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
  history: Pick<typeof orderHistory.$inferSelect, "at" | "from" | "to" | "actor" | "note">[];
};

export const toOrder = (row: OrderRow) => ({
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
  shipping_address: row.shippingAddress,
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
  history: row.history.map((step) => ({ ...step, at: iso(step.at) })),
  expires_at: isoOrNull(row.expiresAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
