import * as z from "zod";
import { iso, Timestamp } from "../../../domain/fields.ts";
import type { shipments } from "../../../platform/db/schema.ts";

/** Units of lines, by the lines' ids. */
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
      .array(z.object({ item_id: z.int(), quantity: z.int() }))
      .describe("Line items and quantities in the shipment"),
  })
  .meta({ id: "Shipment" });

export const toShipment = (row: ShipmentRow): z.output<typeof Shipment> => ({
  id: row.id,
  carrier: row.carrier,
  tracking_number: row.trackingNumber,
  tracking_url: row.trackingUrl,
  shipped_at: iso(row.shippedAt),
  shipped_by: row.shippedBy,
  items: row.items.map(({ itemId, quantity }) => ({ item_id: itemId, quantity })),
});
