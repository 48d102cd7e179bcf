import * as z from "zod";
import { line } from "../../../domain/fields.ts";
import { Place } from "../../../domain/place.ts";
import { declareFields } from "../../../platform/administration/fields.ts";
import type { Place as PlaceOfZone, shippingZones } from "../../../platform/db/schema.ts";

export type ZoneRow = typeof shippingZones.$inferSelect;
export type ZoneState = Omit<ZoneRow, "id" | "createdAt" | "updatedAt">;

/** More than there are countries, and all the regions that we know. */
const MOST_PLACES = 400;

const inOrder = ({ country, region }: PlaceOfZone): string => `${country}-${region ?? ""}`;

/** Each place once, by country and then region. */
const distinctPlaces = (places: PlaceOfZone[]): PlaceOfZone[] => {
  const byName = new Map(places.map((place) => [inOrder(place), place]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place);
};

/** The fields of a shipping zone that administrators edit. */
export const zoneFields = declareFields<ZoneState>()({
  name: { column: "name", schema: line(100) },
  places: {
    column: "places",
    schema: z
      .array(Place)
      .max(MOST_PLACES)
      .describe(
        "Countries and regions of the zone. A place belongs to one zone, and a region takes precedence over its country",
      ),
    initial: [],
    stored: distinctPlaces,
  },
  rest_of_world: {
    column: "restOfWorld",
    schema: z
      .boolean()
      .describe("True if the zone covers every place that no other zone names. Only one zone can have this"),
    initial: false,
  },
});
