import * as z from "zod";
import { Address } from "../../domain/address.ts";
import {
  BooleanText,
  changesSomething,
  coded,
  documented,
  ExternalId,
  Id,
  IdText,
  LineMetadata,
  line,
  MAX_LINES,
  Metadata,
  MetadataText,
  oneSpan,
  Quantity,
  spanFields,
} from "../../domain/fields.ts";
import { Amount } from "../../domain/money.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { OrderTags, TagFilter } from "../../domain/tags.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "../../platform/db/schema.ts";
import { cursorFields, hasCursor, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { orderReferencePrefix } from "./reference.ts";
import { ShipmentUpdate } from "./shipments/schemas.ts";
import { SENT } from "./transitions.ts";

/** Filters and sort orders of the administration API's order list. */
export const orderFilters = {
  number: line(100).optional().describe("Order number, such as #1001 (in a URL `%231001`) or its digits alone"),
  reference: line(20)
    .transform((typed) => orderReferencePrefix(typed) ?? typed)
    .optional()
    .meta(documented({ type: "string", maxLength: 20 }))
    .describe("Whole reference, such as 7K3M-9Q2P-XW4D"),
  external_id: ExternalId.optional().describe("Id of one order in another system"),
  metadata: MetadataText.optional().describe(
    "Name and text in `metadata`, such as `channel:market`. Finds orders among the 10,000 newest",
  ),
  status: z.enum(orderStatuses).optional(),
  payment_status: z
    .enum([...paymentStatuses, "pending"])
    .transform((status) => (status === "pending" ? "unpaid" : status))
    .optional()
    .describe("`pending` means `unpaid`"),
  fulfillment_status: z
    .enum(fulfillmentStatuses)
    .optional()
    .describe("`unfulfilled` leaves out orders that were cancelled, have expired or were refunded"),
  payment_method: z.enum(paymentMethods).optional(),
  test: BooleanText.optional().describe("Orders of test keys and others paid in test mode, or all others"),
  user_id: IdText.optional(),
  tag: TagFilter.optional().describe("Tags that an order must all have: several parameters, or one with commas"),
  search: line(254)
    .optional()
    .describe(
      "Words of the customer, addresses or products, a tag, an order or telephone number, or the start of a reference or tracking number",
    ),
  ...spanFields,
  sort: z.enum(["newest", "oldest"]).optional().describe("Sort order. Defaults to `newest`"),
};

export const AllOrdersQuery = z
  .strictObject({ ...pageFields, ...cursorFields, ...orderFilters })
  .refine(...withoutPages)
  .refine(...oneSpan)
  .refine((query) => query.sort === undefined || !hasCursor(query), {
    path: ["sort"],
    error: "cannot be combined with updated_since or after_id, which set the order",
    ...coded("not_applicable"),
  });
export type AllOrdersQuery = z.output<typeof AllOrdersQuery>;
export type OrderFilters = Omit<AllOrdersQuery, keyof typeof pageFields | keyof typeof cursorFields>;

const Note = line(500);

export const OrderUpdate = z
  .strictObject({
    status: z
      .enum(orderStatuses)
      .describe(
        "409 lists the allowed statuses if this one is not. `completed` counts unshipped units as handed over. `expired` is for test orders",
      ),
    payment_status: z
      .literal("paid", "can only be set to paid")
      .describe("`paid` records a payment received outside the platform. Requires the permission `payments:write`"),
    shipment: ShipmentUpdate.describe(
      `With \`status: ${SENT}\`, details of the shipment of all unshipped units. Without it, a correction of the latest shipment`,
    ),
    shipping_address: Address,
    billing_address: Address,
    external_id: ExternalId.nullable().describe("Id in another system, such as an ERP. Unique among orders"),
    metadata: Metadata.describe("Replaces all earlier texts. The buyer can read them"),
    tags: OrderTags.describe("Replaces all earlier tags. The buyer does not see them"),
    items: z
      .array(z.strictObject({ id: Id, metadata: LineMetadata }))
      .min(1)
      .max(MAX_LINES)
      .describe("Texts on items of the order, replacing earlier ones of these items"),
    restock: z
      .boolean()
      .describe(
        "True to return refunded units, and shipped units of a cancelled order, to the stock. Its unshipped units always return",
      ),
    note: Note.describe("Note for the order's history. The buyer can read it"),
  })
  .partial()
  .refine(...changesSomething)
  .refine(({ status, restock }) => restock === undefined || status === "refunded" || status === "cancelled", {
    path: ["restock"],
    error: "requires the status refunded or cancelled",
    ...coded("not_applicable"),
  })
  .refine(({ status, payment_status, note }) => note === undefined || (status ?? payment_status) !== undefined, {
    path: ["note"],
    error: "requires a status change. Send status too",
    ...coded("not_applicable"),
  })
  .meta({ id: "OrderUpdate", description: "Fields that are not sent keep their values" });
export type OrderUpdate = z.output<typeof OrderUpdate>;

/** A null where an amount or lines belong is refused, because it may be a failed calculation: without them, everything is refunded. */
export const RefundCreate = z
  .strictObject({
    items: z
      .array(z.strictObject({ id: Id, quantity: Quantity }))
      .min(1)
      .max(MAX_LINES)
      .exactOptional()
      .describe("Line items to refund"),
    shipping: z.boolean().exactOptional().describe("True to refund shipping. Defaults to shipping with the last units"),
    amount: Amount.exactOptional().describe(
      "Amount instead of units. Stock and downloads change only if everything that remains is refunded",
    ),
    restock: z.boolean().default(false).describe("True to return the refunded units to the stock"),
    note: Note.optional(),
  })
  .refine(({ items, shipping, amount }) => (items ?? shipping) === undefined || amount === undefined, {
    path: ["amount"],
    error: "cannot be combined with units or shipping: choose one of them",
    ...coded("not_applicable"),
  })
  .meta({
    id: "RefundCreate",
    description: "A refund. Refunds everything that remains if `items`, `shipping` and `amount` are not sent",
  });
export type RefundCreate = z.output<typeof RefundCreate>;
