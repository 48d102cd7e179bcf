import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { auditedState } from "../../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../../platform/administration/write-queries.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { readPage } from "../../../platform/db/page.ts";
import { shippingMethods } from "../../../platform/db/schema.ts";
import { limitAndOffset } from "../../../platform/http/pagination.ts";
import type { MethodsQuery } from "./admin-schemas.ts";
import { type MethodRow, type MethodState, methodFields } from "./fields.ts";

/** A page of methods, those of a zone together. */
export function listMethods(db: Database, query: MethodsQuery) {
  const where = query.zone_id === undefined ? undefined : eq(shippingMethods.zoneId, query.zone_id);
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select()
    .from(shippingMethods)
    .where(where)
    .orderBy(asc(shippingMethods.zoneId), asc(shippingMethods.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, shippingMethods, where);
}

/** All methods of some zones. */
export const readMethodsOf = (db: Database, zoneIds: number[]): Promise<MethodRow[]> =>
  db
    .select()
    .from(shippingMethods)
    .where(sql`${shippingMethods.zoneId} IN (SELECT value FROM json_each(${JSON.stringify(zoneIds)}))`)
    .orderBy(asc(shippingMethods.id))
    .all();

export const findMethod = (db: Database, id: number): Promise<MethodRow | undefined> =>
  db.select().from(shippingMethods).where(eq(shippingMethods.id, id)).get();

export const auditedMethods: AuditedTable<MethodRow, MethodState> = {
  table: shippingMethods,
  name: "shipping_methods",
  subject: "shipping_method",
  json: jsonRow<MethodRow>(getTableColumns(shippingMethods)),
  audited: (state) => auditedState(methodFields, state),
  refusals: {
    "FOREIGN KEY": () => badRequest(fieldError("zone_id", "unknown_reference", "names a zone that does not exist")),
  },
};

/** A new method. Ids only ever grow, so within its batch the newest is the one that was just written. */
export const newMethod = (row: MethodState): Creation<MethodState> => ({
  row,
  where: sql`id = (SELECT max(id) FROM shipping_methods)`,
  state: row,
});
