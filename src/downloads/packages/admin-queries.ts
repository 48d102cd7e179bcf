import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import type { AccountScope } from "../../platform/db/account-scope.ts";
import { inScope } from "../../platform/db/account-scope.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { packages } from "../../platform/db/schema.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import type { PackagesQuery } from "./admin-schemas.ts";
import type { PackageStatus } from "./entitlement.ts";
import { type AuditedPackage, packageState } from "./fields.ts";
import { packageAsJson, selectPackages } from "./queries.ts";
import type { PackageRow } from "./schemas.ts";

/** The statuses of entitlement.ts as conditions. */
function having(status: PackageStatus, now: number): SQL {
  const expired = sql`coalesce(expires_at <= ${now}, FALSE)`;
  const exhausted = sql`coalesce(downloads_used >= download_limit, FALSE)`;
  return {
    revoked: sql`revoked_at IS NOT NULL`,
    expired: sql`revoked_at IS NULL AND ${expired}`,
    exhausted: sql`revoked_at IS NULL AND NOT ${expired} AND ${exhausted}`,
    active: sql`revoked_at IS NULL AND NOT ${expired} AND NOT ${exhausted}`,
  }[status];
}

/** A page of everybody's packages, newest first, and how many there are, in one round trip. */
export function listAllPackages(
  db: Database,
  query: PackagesQuery,
  scope: AccountScope,
  now: number,
): Promise<PageOf<PackageRow>> {
  const { user_id, order_id, status } = query;
  const where = and(
    user_id === undefined ? undefined : eq(packages.userId, user_id),
    order_id === undefined ? undefined : eq(packages.orderId, order_id),
    status && having(status, now),
    inScope(scope, packages.userId),
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = selectPackages(db).where(where).orderBy(desc(packages.id)).limit(limit).offset(offset);
  return readPage(db, rows, packages, where);
}

export const findAnyPackage = (db: Database, id: number, scope: AccountScope): Promise<PackageRow | undefined> =>
  selectPackages(db)
    .where(and(eq(packages.id, id), inScope(scope, packages.userId)))
    .get();

/** What a package refers to and does not find: its user, and files by their place in the list. */
export type References = { userExists: boolean; missingFiles: [index: number, id: number][] };

const references = (db: Database, fileIds: number[], userId: number | null, scope: AccountScope) =>
  db
    .select({
      userExists: sql`EXISTS (
        SELECT 1 FROM users WHERE id = ${userId} AND (role = 'customer' OR ${scope === "everybody"})
      )`.mapWith(Boolean),
      missingFiles: json<References["missingFiles"]>(sql`(
        SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(fileIds)})
        WHERE value NOT IN (SELECT id FROM files)
      )`),
    })
    .from(sql`(SELECT 1)`);

export const findReferences = async (
  db: Database,
  fileIds: number[],
  userId: number,
  scope: AccountScope,
): Promise<References> => requireFirst(await references(db, fileIds, userId, scope));

/** A package with what a change of it refers to, in one round trip. */
export async function findForChange(db: Database, id: number, fileIds: number[], scope: AccountScope) {
  const found = selectPackages(db).where(and(eq(packages.id, id), inScope(scope, packages.userId)));
  const [[row], refers] = await db.batch([found, references(db, fileIds, null, scope)]);
  return { row, missingFiles: requireFirst(refers).missingFiles };
}

const holdFiles = (packageId: SQL | number, fileIds: number[]): SQL => sql`
  INSERT INTO package_files (package_id, file_id)
  SELECT ${packageId}, value FROM json_each(${JSON.stringify(fileIds)})`;

const filesOf = (fileIds: number[]) => fileIds.map((id) => ({ id }));

export const auditedPackages: AuditedTable<PackageRow, AuditedPackage> = {
  table: packages,
  name: "packages",
  subject: "package",
  json: packageAsJson,
  audited: packageState,
  refusals: {
    "FOREIGN KEY": () => badRequest(fieldError("file_ids", "unknown_reference", "names a file that does not exist")),
    downloads_within_limit: () =>
      badRequest(fieldError("download_limit", "below_use", "is below the downloads that were used")),
  },
};

/** A new package. Ids only ever grow, so within its batch the newest is the one that was just written. */
export const newPackage = ({
  fileIds,
  ...row
}: Omit<AuditedPackage, "files"> & { fileIds: number[] }): Creation<AuditedPackage> => ({
  row,
  where: sql`id = (SELECT max(id) FROM packages)`,
  state: { ...row, files: filesOf(fileIds) },
  statements: (id) => [holdFiles(id, fileIds)],
});

/** Has a package hold just these files. */
export const replaceFiles = (id: number, fileIds: number[]) => ({
  related: { files: filesOf(fileIds) },
  statements: [sql`DELETE FROM package_files WHERE package_id = ${id}`, holdFiles(id, fileIds)],
});
