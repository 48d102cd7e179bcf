import * as z from "zod";
import {
  coded,
  Id,
  IdText,
  line,
  MAX_LINES,
  partialUpdate,
  Quantity,
  Text,
  Timestamp,
} from "../../../domain/fields.ts";
import { toRecord } from "../../../domain/record.ts";
import type { shipments } from "../../../platform/db/schema.ts";

/** Shipped units by line id. */
export type ShipmentLine = { itemId: number; quantity: number };

export type ShipmentRow = Omit<typeof shipments.$inferSelect, "orderId"> & { items: ShipmentLine[] };

export const Shipment = z
  .object({
    id: z.int(),
    carrier: z.string(),
    tracking_number: z.string().nullable(),
    tracking_url: z.string().nullable(),
    shipped_at: Timestamp,
    shipped_by: z.string().describe("Author of the entry, such as user:7"),
    items: z
      .array(
        z.object({
          id: z.int().describe("Id of the line item"),
          item_id: z.int().meta({ deprecated: true }).describe("Former name of `id`"),
          quantity: z.int(),
        }),
      )
      .describe("Line items and quantities in the shipment"),
  })
  .meta({ id: "Shipment" });

export const toShipment = (row: ShipmentRow): z.output<typeof Shipment> =>
  toRecord(Shipment, row, {
    items: row.items.map(({ itemId, quantity }) => ({ id: itemId, item_id: itemId, quantity })),
  });

/** A URL that is shown as a link: http(s) only, without characters that end an HTML attribute. */
export const WebLink = Text.max(2_000).regex(/^https?:\/\/[^\s"<>\\]+$/, "must be an https:// address");

export const tracking = {
  carrier: line(100),
  tracking_number: line(100).nullable(),
  tracking_url: WebLink.nullable().describe(
    "Address of the parcel's page. Defaults to that of a known carrier, such as DHL",
  ),
};

export const ShipmentUpdate = partialUpdate("ShipmentUpdate", tracking);
export type ShipmentUpdate = z.output<typeof ShipmentUpdate>;

const ShippedLine = z
  .strictObject({
    id: Id.optional(),
    item_id: Id.optional().meta({ deprecated: true }).describe("Former name of `id`"),
    quantity: Quantity,
  })
  .refine(({ id, item_id }) => (id === undefined) !== (item_id === undefined), {
    path: ["id"],
    error: "must be the id of one of the order's items",
    ...coded("required"),
  })
  .transform(({ id, item_id, quantity }): ShipmentLine => ({ itemId: id ?? item_id ?? 0, quantity }));

export const ShipmentCreate = z
  .strictObject({
    items: z
      .array(ShippedLine)
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe("Line items that require shipping. Defaults to all unshipped units"),
    carrier: tracking.carrier,
    tracking_number: tracking.tracking_number.default(null),
    tracking_url: tracking.tracking_url.default(null),
  })
  .meta({ id: "ShipmentCreate" });
export type ShipmentCreate = z.output<typeof ShipmentCreate>;

export const ShipmentParam = z.strictObject({ id: IdText, shipment: IdText });
