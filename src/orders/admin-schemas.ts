import * as z from "zod";
import { fulfillmentStatuses, orderStatuses, paymentMethods, paymentStatuses } from "../db/schema.ts";
import { Id, IdText, line, Moment } from "../http/fields.ts";
import { pageFields } from "../http/pagination.ts";
import { IfMatch } from "../http/version.ts";
import { IdempotencyHeaders } from "../idempotency/header.ts";
import { MAX_LINES, Quantity } from "../quantities.ts";
import { ShippingAddress } from "./schemas.ts";

/** How administrators narrow the list of all orders. */
export const AllOrdersQuery = z.strictObject({
  ...pageFields,
  status: z.enum(orderStatuses).optional(),
  payment_status: z.enum(paymentStatuses).optional(),
  fulfillment_status: z.enum(fulfillmentStatuses).optional(),
  payment_method: z.enum(paymentMethods).optional(),
  user_id: IdText.optional(),
  /** How the order's number, or the customer's e-mail address or name begins. */
  search: line(254).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
});
export type AllOrdersQuery = z.output<typeof AllOrdersQuery>;

/** It becomes a link on a page: no other scheme, and nothing that ends the attribute it stands in. */
const TrackingUrl = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s"<>\\]+$/, "must be an https:// address");

const changesSomething = [(change: object) => Object.keys(change).length > 0, "must change something"] as const;

const ShipmentChange = z
  .strictObject({
    carrier: line(100),
    tracking_number: line(100).nullable(),
    tracking_url: TrackingUrl.nullable(),
  })
  .partial()
  .refine(...changesSomething);

const Note = line(500);

/** The fields that are sent change, and no others. `status` is a move, and so is `payment_status`. */
export const OrderChange = z
  .strictObject({
    status: z.enum(orderStatuses),
    /** Money that was taken by hand. */
    payment_status: z.literal("paid", "can be set to paid and to nothing else"),
    /** With the status shipped what is sent; later a correction of the fields that are in it. */
    shipment: ShipmentChange,
    shipping_address: ShippingAddress,
    /** Whether refunded goods come back to the stock. Those of a cancelled order always do. */
    restock: z.boolean(),
    /** Why the order moves, for its history: the buyer reads it too. */
    note: Note,
  })
  .partial()
  .refine(...changesSomething)
  .refine(({ status, shipment }) => status !== "shipped" || shipment?.carrier !== undefined, {
    path: ["shipment", "carrier"],
    error: "is required to ship",
  })
  .refine(({ status, restock }) => restock === undefined || status === "refunded", {
    path: ["restock"],
    error: "is for the status refunded",
  })
  .refine(({ status, payment_status, note }) => note === undefined || (status ?? payment_status) !== undefined, {
    path: ["note"],
    error: "belongs to a move: send the status too",
  })
  .meta({ id: "OrderChange" });
export type OrderChange = z.output<typeof OrderChange>;

/** Without items everything that is left goes back. */
export const NewRefund = z
  .strictObject({
    items: z
      .array(z.strictObject({ id: Id, quantity: Quantity }))
      .min(1)
      .max(MAX_LINES)
      .optional(),
    restock: z.boolean().default(false),
    note: Note.optional(),
  })
  .meta({ id: "NewRefund" });
export type NewRefund = z.output<typeof NewRefund>;

export const RefundHeaders = z.object({ ...IfMatch.shape, ...IdempotencyHeaders.shape });
