import { conflict, notFound } from "../../../domain/errors.ts";
import { newRow, toColumns } from "../../../platform/administration/fields.ts";
import {
  applyChange,
  applyCreation,
  applyDeletion,
  type WriteRequest,
} from "../../../platform/administration/write-queries.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { NewZone, ZoneChange } from "./admin-schemas.ts";
import { type ZoneRow, zoneFields } from "./fields.ts";
import { auditedZones, findZone, newZone, zoneRefusals } from "./queries.ts";

export const createZone = (request: Omit<WriteRequest, "ifMatch">, sent: NewZone): Promise<ZoneRow> =>
  applyCreation(
    request,
    { ...auditedZones, refusals: zoneRefusals(request.db, sent.places) },
    newZone(newRow(zoneFields, sent, {})),
  );

export async function changeZone(request: WriteRequest, id: number, sent: ZoneChange): Promise<ZoneRow> {
  const before = await requireZone(request.db, id);
  const refusals = zoneRefusals(request.db, sent.places, id);
  const columns = toColumns(zoneFields, sent);
  return applyChange(request, auditedZones, "update", before, () => ({ columns, refusals }));
}

/** Deletes a zone that has no methods. */
export async function removeZone(request: WriteRequest, id: number): Promise<void> {
  await applyDeletion(request, auditedZones, await requireZone(request.db, id), () =>
    conflict("in_use", "The zone has shipping methods: delete them first"),
  );
}

export async function requireZone(db: Database, id: number): Promise<ZoneRow> {
  const zone = await findZone(db, id);
  if (!zone) throw notFound(`Shipping zone ${id}`);
  return zone;
}
