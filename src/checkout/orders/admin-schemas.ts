import * as z from "zod";
import { Address } from "../../domain/address.ts";
import { Id, IdText, line } from "../../domain/fields.ts";
import { Amount } from "../../domain/money.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { MAX_LINES, Quantity } from "../../domain/quantity.ts";
import { changesSomething, coded } from "../../domain/rules.ts";
import { oneSpan, spanFields } from "../../domain/span.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "../../platform/db/schema.ts";
import { cursorFields, hasCursor, withoutPages } from "../../platform/http/cursor.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { ShipmentChange } from "./shipments/request-schemas.ts";
import { SENT } from "./transitions.ts";

/** How administrators narrow and order all orders. */
export const orderFilters = {
  status: z.enum(orderStatuses).optional(),
  payment_status: z.enum(paymentStatuses).optional(),
  fulfillment_status: z.enum(fulfillmentStatuses).optional(),
  payment_method: z.enum(paymentMethods).optional(),
  user_id: IdText.optional(),
  search: line(254)
    .optional()
    .describe(
      "Words of the customer's name or e-mail address, the last of which may be a beginning; or how the order's number begins, with or without #",
    ),
  ...spanFields,
  sort: z.enum(["newest", "oldest"]).optional().describe("`newest` unless it is sent"),
};

export const AllOrdersQuery = z
  .strictObject({ ...pageFields, ...cursorFields, ...orderFilters })
  .refine(...withoutPages)
  .refine(...oneSpan)
  .refine((query) => query.sort === undefined || !hasCursor(query), {
    path: ["sort"],
    error: "is not for a list with updated_since or after_id: the cursor is the order",
    ...coded("not_applicable"),
  });
export type AllOrdersQuery = z.output<typeof AllOrdersQuery>;
export type OrderFilters = Omit<AllOrdersQuery, keyof typeof pageFields | keyof typeof cursorFields>;

const Note = line(500);

export const OrderChange = z
  .strictObject({
    status: z.enum(orderStatuses).describe("A move: 409 names those that the order can make"),
    payment_status: z
      .literal("paid", "can be set to paid and to nothing else")
      .describe("Money that was taken by hand"),
    shipment: ShipmentChange.describe(
      `With the status ${SENT} how all goes that waits to be sent; without it a correction of the latest shipment`,
    ),
    shipping_address: Address,
    billing_address: Address,
    restock: z
      .boolean()
      .describe("Whether refunded goods come back to the stock; those of a cancelled order always do"),
    note: Note.describe("Why the order moves, for its history: the buyer reads it too"),
  })
  .partial()
  .refine(...changesSomething)
  .refine(({ status, shipment }) => status !== SENT || shipment?.carrier !== undefined, {
    path: ["shipment", "carrier"],
    error: "is required to ship",
  })
  .refine(({ status, restock }) => restock === undefined || status === "refunded", {
    path: ["restock"],
    error: "is for the status refunded",
    ...coded("not_applicable"),
  })
  .refine(({ status, payment_status, note }) => note === undefined || (status ?? payment_status) !== undefined, {
    path: ["note"],
    error: "belongs to a move: send the status too",
    ...coded("not_applicable"),
  })
  .meta({ id: "OrderChange", description: "The fields that are sent change, and no others" });
export type OrderChange = z.output<typeof OrderChange>;

export const NewRefund = z
  .strictObject({
    items: z
      .array(z.strictObject({ id: Id, quantity: Quantity }))
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe("Units of lines, by the lines' ids: what was paid for them goes back, at most what is left"),
    shipping: z
      .boolean()
      .optional()
      .describe("Whether what was paid for shipping goes back: without it, with the last of the units"),
    amount: Amount.optional().describe(
      "Money instead of units, at most what is left: stock and downloads stay as they are, unless it is all that is left",
    ),
    restock: z.boolean().default(false).describe("Whether the units that go back come back to the stock"),
    note: Note.optional(),
  })
  .refine(({ items, shipping, amount }) => (items ?? shipping) === undefined || amount === undefined, {
    path: ["amount"],
    error: "send either items and shipping, or amount",
    ...coded("not_applicable"),
  })
  .meta({
    id: "NewRefund",
    description: "Without any of items, shipping and amount everything that is left goes back",
  });
export type NewRefund = z.output<typeof NewRefund>;
