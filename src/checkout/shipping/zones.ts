import { asc, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { line } from "../../domain/fields.ts";
import { Place } from "../../domain/place.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import type { Database } from "../../platform/db/client.ts";
import { sortName } from "../../platform/db/columns.ts";
import { type ShippingPlace, shippingZonePlaces, shippingZones } from "../../platform/db/schema.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";

export type ZoneRow = typeof shippingZones.$inferSelect;

/** More than all countries and known regions together. */
const MOST_PLACES = 400;

const inOrder = ({ country, region }: ShippingPlace): string => `${country}-${region ?? ""}`;

/** Removes duplicates and sorts by country, then region. */
const distinctPlaces = (places: ShippingPlace[]): ShippingPlace[] => {
  const byName = new Map(places.map((place) => [inOrder(place), place]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place);
};

/** Shipping zone fields that administrators can edit. */
export const zoneFields = declareFields<Omit<ZoneRow, "id" | "createdAt" | "updatedAt">>()({
  name: { schema: line(100), input: { hint: "Visible to staff only." } },
  places: {
    schema: z
      .array(Place)
      .max(MOST_PLACES)
      .describe(
        "Countries and regions of the zone. A place belongs to one zone, and a region takes precedence over its country",
      ),
    initial: [],
    stored: distinctPlaces,
    answer: z.array(z.object({ country: z.string(), region: z.string().nullable() })),
    input: {
      as: "places",
      label: "Countries and regions",
      hint: "Codes or names separated by commas: DE, Austria, US-NY. Each place belongs to one zone, and a region's zone takes precedence over its country's.",
    },
  },
  rest_of_world: {
    schema: z
      .boolean()
      .describe("True if the zone covers every place that no other zone names. Only one zone can have this"),
    initial: false,
    input: { label: "Rest of the world", hint: "Includes every place that is in no other zone." },
  },
});

export const shippingZoneResource = declareResource({
  table: shippingZones,
  path: "/shipping-zones",
  permission: "settings",
  names: { one: "shipping zone", many: "shipping zones", deleted: "shipping zone without methods" },
  subject: "shipping_zone",
  fields: zoneFields,
  order: [
    asc(shippingZones.restOfWorld),
    sql.raw(`${sortName("shipping_zones.name")} COLLATE NOCASE`),
    asc(shippingZones.id),
  ],
  refuses: ["place_taken"],
  refusals: (db, { places = [] }, before) => ({
    "shipping_zones.rest_of_world": () =>
      badRequest(fieldError("rest_of_world", "place_taken", "already belongs to another zone")),
    // The error names the places as they were sent.
    "shipping_zone_places.country": async () => {
      const taken = await findTaken(db, places, before?.id ?? 0);
      if (taken.length === 0) return editedMeanwhile.row_changed();
      return badRequest(
        taken.map(({ index, zone }) => fieldError(`places.${index}`, "place_taken", `belongs to the zone ${zone}`)),
      );
    },
  }),
  inUse: () => conflict("in_use", "The zone has shipping methods. Delete them first"),
});

/** Returns the places that belong to another zone. */
const findTaken = (db: Database, places: readonly ShippingPlace[], id: number) =>
  db
    .select({ index: sql<number>`sent.key`, zone: shippingZones.name })
    .from(shippingZonePlaces)
    .innerJoin(shippingZones, eq(shippingZones.id, shippingZonePlaces.zoneId))
    .innerJoin(
      sql`json_each(${JSON.stringify(places)}) AS sent`,
      sql`${shippingZonePlaces.country} = sent.value ->> 'country'
        AND ${shippingZonePlaces.region} = ifnull(sent.value ->> 'region', '')`,
    )
    .where(ne(shippingZones.id, id))
    .orderBy(sql`sent.key`);
