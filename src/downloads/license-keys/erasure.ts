import { eq, type SQL, sql } from "drizzle-orm";
import { licenseActivations, licenseKeys } from "../../platform/db/schema.ts";
import { updateRows, versionAfter } from "../../platform/db/statements.ts";

/** Statements that revoke the license keys of an erased account and delete the names of its devices. */
export const eraseLicenseKeys = (id: number, now: number): SQL[] => [
  sql`DELETE FROM ${licenseActivations} WHERE ${licenseActivations.licenseKeyId} IN (
    SELECT ${licenseKeys.id} FROM ${licenseKeys} WHERE ${licenseKeys.userId} = ${id})`,
  updateRows(
    licenseKeys,
    { revokedAt: sql`coalesce(${licenseKeys.revokedAt}, ${now})`, updatedAt: versionAfter(now) },
    eq(licenseKeys.userId, id),
  ),
];
