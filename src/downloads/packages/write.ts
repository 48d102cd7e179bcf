import { badRequest, conflict, type FieldError, fieldError, notFound } from "../../domain/errors.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation, type WriteRequest } from "../../platform/administration/write-queries.ts";
import type { AccountScope } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import { merge } from "../../platform/db/merge.ts";
import { requireVersion } from "../../platform/http/version.ts";
import {
  auditedPackages,
  findAnyPackage,
  findForChange,
  findReferences,
  newPackage,
  type References,
  replaceFiles,
} from "./admin-queries.ts";
import type { NewPackage, PackageChange } from "./admin-schemas.ts";
import { packageFields } from "./fields.ts";
import type { PackageRow } from "./schemas.ts";

// The right to download, as people grant it.

export async function grantPackage(
  request: Omit<WriteRequest, "ifMatch">,
  sent: NewPackage,
  scope: AccountScope,
): Promise<PackageRow> {
  const { userExists, missingFiles } = await findReferences(request.db, sent.file_ids, sent.user_id, scope);
  refuseMissing(
    missingFiles,
    userExists ? [] : [fieldError("user_id", "unknown_reference", `user ${sent.user_id} does not exist`)],
  );
  const { now } = request.author;
  const row = newRow(packageFields, sent, {});
  if (row.expiresAt !== null && row.expiresAt <= now)
    throw badRequest(fieldError("expires_at", "in_the_past", "must be in the future"));
  const granted = { ...row, userId: sent.user_id, startsAt: sent.starts_at ?? now, revokedAt: null };
  return applyCreation(request, auditedPackages, newPackage(granted));
}

/** Extends a package, or narrows it: one that was revoked stays so. */
export async function changePackage(
  request: WriteRequest,
  id: number,
  sent: PackageChange,
  scope: AccountScope,
): Promise<PackageRow> {
  const { row, missingFiles } = await findForChange(request.db, id, sent.file_ids ?? [], scope);
  if (!row) throw notFound(`Package ${id}`);
  return applyChange(request, auditedPackages, "update", row, () => {
    if (row.revokedAt !== null) throw conflict("revoked", "The package was revoked: grant a new one");
    refuseMissing(missingFiles, []);
    const { fileIds, ...columns } = toColumns(packageFields, sent);
    refuseLimits(merge<PackageRow>(row, columns));
    return { columns, ...(fileIds && replaceFiles(id, fileIds)) };
  });
}

/** Ends a package for good, also for links that are under way. One that was revoked already is left as it is. */
export async function revokePackage(request: WriteRequest, id: number, scope: AccountScope): Promise<void> {
  const before = await requirePackage(request.db, id, scope);
  if (before.revokedAt !== null) return requireVersion(request.ifMatch, before.updatedAt);
  await applyChange(request, auditedPackages, "revoke", before, () => ({ columns: { revokedAt: request.author.now } }));
}

export async function requirePackage(db: Database, id: number, scope: AccountScope): Promise<PackageRow> {
  const row = await findAnyPackage(db, id, scope);
  if (!row) throw notFound(`Package ${id}`);
  return row;
}

function refuseMissing(files: References["missingFiles"], others: FieldError[]): void {
  const missing = files.map(([index, id]) =>
    fieldError(`file_ids.${index}`, "unknown_reference", `file ${id} does not exist`),
  );
  const errors = [...others, ...missing];
  if (errors.length > 0) throw badRequest(errors);
}

function refuseLimits({ downloadLimit, downloadsUsed, startsAt, expiresAt }: PackageRow): void {
  if (downloadLimit !== null && downloadLimit < downloadsUsed) {
    throw badRequest(
      fieldError("download_limit", "below_use", `must not be below the ${downloadsUsed} downloads that were used`),
    );
  }
  if (expiresAt !== null && expiresAt <= startsAt)
    throw badRequest(fieldError("expires_at", "invalid", "must be after starts_at"));
}
