import * as z from "zod";
import { iso, Timestamp } from "../../../domain/fields.ts";
import { changesSomething } from "../../../domain/rules.ts";
import { type Answered, changeShape, newShape } from "../../../platform/administration/fields.ts";
import { type ZoneRow, zoneFields } from "./fields.ts";

export const NewZone = z.strictObject(newShape(zoneFields)).meta({ id: "NewShippingZone" });
export type NewZone = z.output<typeof NewZone>;

export const ZoneChange = z
  .strictObject(changeShape(zoneFields))
  .partial()
  .refine(...changesSomething)
  .meta({ id: "ShippingZoneChange", description: "Fields to change. Fields that are not sent keep their values" });
export type ZoneChange = z.output<typeof ZoneChange>;

export const Zone = z
  .object({
    id: z.int(),
    name: z.string(),
    places: z.array(z.object({ country: z.string(), region: z.string().nullable() })),
    rest_of_world: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies Answered<typeof zoneFields>)
  .meta({ id: "ShippingZone" });

export const toZone = (row: ZoneRow): z.output<typeof Zone> => ({
  id: row.id,
  name: row.name,
  places: row.places,
  rest_of_world: row.restOfWorld,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
