import * as z from "zod";
import { Id, IdText, line, Text } from "../../../domain/fields.ts";
import { MAX_LINES, Quantity } from "../../../domain/quantity.ts";
import { changesSomething } from "../../../domain/rules.ts";

/** An address that becomes a link on a page: no other scheme, and nothing that ends an HTML attribute. */
const TrackingUrl = Text.max(2_000).regex(/^https?:\/\/[^\s"<>\\]+$/, "must be an https:// address");

const tracking = {
  carrier: line(100),
  tracking_number: line(100).nullable(),
  tracking_url: TrackingUrl.nullable(),
};

export const ShipmentChange = z
  .strictObject(tracking)
  .partial()
  .refine(...changesSomething)
  .meta({ id: "ShipmentChange", description: "Fields to change. Fields that are not sent keep their values" });
export type ShipmentChange = z.output<typeof ShipmentChange>;

export const NewShipment = z
  .strictObject({
    items: z
      .array(z.strictObject({ item_id: Id, quantity: Quantity }))
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe("Line items and quantities to ship. Defaults to all unshipped units"),
    carrier: tracking.carrier,
    tracking_number: tracking.tracking_number.default(null),
    tracking_url: tracking.tracking_url.default(null),
  })
  .meta({ id: "NewShipment" });
export type NewShipment = z.output<typeof NewShipment>;

export const ShipmentParam = z.strictObject({ id: IdText, shipment: IdText });
