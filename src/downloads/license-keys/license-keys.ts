import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type ApiKeyCaller, isOwn, type UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { licenseActivations, licenseKeys, orders } from "../../platform/db/schema.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import type { LicenseKeyRow } from "./schemas.ts";

const instancesWhere = (condition: SQL) =>
  json<LicenseKeyRow["instances"]>(sql`(
    SELECT json_group_array(json_object('id', instance_id, 'name', name, 'createdAt', created_at) ORDER BY created_at, instance_id)
    FROM (SELECT * FROM ${licenseActivations} WHERE license_key_id = license_keys.id AND ${condition})
  )`);

const uploaded = json<LicenseKeyRow["uploaded"]>(sql`(
    SELECT json_object('start', start, 'sealed', sealed) FROM uploaded_license_keys WHERE nonce = license_keys.nonce
  )`);

const columns = { ...getTableColumns(licenseKeys), uploaded };

export const licenseKeyColumns = { ...columns, instances: instancesWhere(sql`TRUE`) };

/** Devices of each key in a list of the administration. A key can be active on a thousand. */
export const LISTED_INSTANCES = 20;

/** Keys with the first few of their devices by id, which the database finds without reading the others. */
export const selectListedLicenseKeys = (db: Database) =>
  db.select({ ...columns, instances: instancesWhere(sql`TRUE LIMIT ${LISTED_INSTANCES}`) }).from(licenseKeys);

export const selectLicenseKeys = (db: Database) => db.select(licenseKeyColumns).from(licenseKeys);

/** A key with only the device of that id. */
export const selectLicenseKeyOn = (db: Database, nonce: string, instanceId = "") =>
  db
    .select({ ...columns, instances: instancesWhere(sql`instance_id = ${instanceId}`) })
    .from(licenseKeys)
    .where(eq(licenseKeys.nonce, nonce));

/** Lists the license keys of an account, or those of orders that an API key placed for guests, newest first. */
export function listLicenseKeys(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  { order_id, ...query }: PageQuery & { order_id?: number | undefined },
): Promise<PageOf<LicenseKeyRow>> {
  const mine =
    caller.kind === "user"
      ? eq(licenseKeys.userId, caller.id)
      : sql`${licenseKeys.orderId} IN (SELECT ${orders.id} FROM ${orders} WHERE ${isOwn(caller, orders)})`;
  const where = and(mine, order_id === undefined ? undefined : eq(licenseKeys.orderId, order_id));
  const rows = selectLicenseKeys(db).where(where).orderBy(desc(licenseKeys.id));
  return readPage(db, query, rows, licenseKeys, where);
}
