import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { auditedState } from "../../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../../platform/administration/write-queries.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { readPage } from "../../../platform/db/page.ts";
import { type Place, shippingZones } from "../../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../../platform/http/pagination.ts";
import { editedMeanwhile } from "../../../platform/http/version.ts";
import { type ZoneRow, type ZoneState, zoneFields } from "./fields.ts";

/** A page of zones by name, the rest of the world last. */
export function listZones(db: Database, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select()
    .from(shippingZones)
    .orderBy(asc(shippingZones.restOfWorld), sql`${shippingZones.name} COLLATE NOCASE`, asc(shippingZones.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, shippingZones, undefined);
}

export const findZone = (db: Database, id: number): Promise<ZoneRow | undefined> =>
  db.select().from(shippingZones).where(eq(shippingZones.id, id)).get();

export const auditedZones: AuditedTable<ZoneRow, ZoneState> = {
  table: shippingZones,
  name: "shipping_zones",
  subject: "shipping_zone",
  json: jsonRow<ZoneRow>(getTableColumns(shippingZones)),
  audited: (state) => auditedState(zoneFields, state),
};

/** A new zone. Ids only ever grow, so within its batch the newest is the one that was just written. */
export const newZone = (row: ZoneState): Creation<ZoneState> => ({
  row,
  where: sql`id = (SELECT max(id) FROM shipping_zones)`,
  state: row,
});

/** The refusals of a write of a zone, which name the places as they were sent. `id` is that of the zone, if it has one. */
export const zoneRefusals = (db: Database, places: readonly Place[] = [], id = 0) => ({
  "shipping_zones.rest_of_world": () =>
    badRequest(fieldError("rest_of_world", "place_taken", "belongs to another zone already")),
  "shipping_zone_places.country": async () => {
    const taken = await findTaken(db, places, id);
    if (taken.length === 0) return editedMeanwhile.row_changed();
    return badRequest(
      taken.map(({ index, zone }) => fieldError(`places.${index}`, "place_taken", `belongs to the zone ${zone}`)),
    );
  },
});

/** Which of the places are in another zone than this one. */
const findTaken = (db: Database, places: readonly Place[], id: number) =>
  db.all<{ index: number; zone: string }>(sql`
    SELECT sent.key AS "index", shipping_zones.name AS zone FROM json_each(${JSON.stringify(places)}) AS sent
    JOIN shipping_zone_places AS taken
      ON taken.country = sent.value ->> 'country' AND taken.region = ifnull(sent.value ->> 'region', '')
    JOIN shipping_zones ON shipping_zones.id = taken.zone_id
    WHERE taken.zone_id <> ${id}
    ORDER BY sent.key`);
