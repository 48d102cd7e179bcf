import { difference } from "../audit/entry.ts";
import type { Author } from "../auth/author.ts";
import type { AccountScope } from "../db/account-scope.ts";
import type { Database } from "../db/client.ts";
import { merge } from "../db/merge.ts";
import { badRequest, conflict, type FieldError, fieldError, notFound } from "../errors.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import {
  findAnyPackage,
  findForChange,
  findReferences,
  insertPackage,
  type References,
  updatePackage,
} from "./admin-queries.ts";
import { auditedState, auditedStateOfRow, type NewPackage, type PackageChange } from "./admin-schemas.ts";
import type { PackageRow } from "./schemas.ts";

// The right to download, as people grant it. Each write stands in the audit log with what it changed.

export async function grantPackage(
  db: Database,
  sent: NewPackage,
  scope: AccountScope,
  author: Author,
): Promise<PackageRow> {
  const { userExists, missingFiles } = await findReferences(db, sent.file_ids, sent.user_id, scope);
  refuseMissing(
    missingFiles,
    userExists ? [] : [fieldError("user_id", "unknown_reference", `user ${sent.user_id} does not exist`)],
  );
  const { now } = author;
  const row = {
    userId: sent.user_id,
    name: sent.name,
    downloadLimit: sent.download_limit ?? null,
    startsAt: sent.starts_at ?? now,
    expiresAt: sent.expires_at ?? null,
    revokedAt: null,
    updatedAt: now,
  };
  if (row.expiresAt !== null && row.expiresAt <= now)
    throw badRequest(fieldError("expires_at", "in_the_past", "must be in the future"));
  const fileIds = distinct(sent.file_ids);
  const after = auditedState({ ...row, fileIds });
  return insertPackage(db, row, fileIds, author, { action: "create", subject: "package", before: null, after });
}

/** Extends a package, or narrows it: one that was revoked stays so. */
export async function changePackage(
  db: Database,
  id: number,
  sent: PackageChange,
  scope: AccountScope,
  ifMatch: IfMatch,
  author: Author,
): Promise<PackageRow> {
  const { row: before, missingFiles } = await findForChange(db, id, sent.file_ids ?? [], scope);
  if (!before) throw notFound(`Package ${id}`);
  requireVersion(ifMatch, before.updatedAt);
  if (before.revokedAt !== null) throw conflict("revoked", "The package was revoked: grant a new one");
  refuseMissing(missingFiles, []);
  const columns = { name: sent.name, downloadLimit: sent.download_limit, expiresAt: sent.expires_at };
  const change = merge<PackageRow>(before, columns);
  refuseLimits(change);
  const fileIds = sent.file_ids && distinct(sent.file_ids);
  const after = auditedState({ ...change, fileIds: fileIds ?? before.files.map((file) => file.id) });
  const states = difference(auditedStateOfRow(before), after);
  return updatePackage(db, before, columns, fileIds, author, { action: "update", subject: "package", ...states });
}

/** Ends a package for good, also for links that are under way. One that was revoked already is left as it is. */
export async function revokePackage(
  db: Database,
  id: number,
  scope: AccountScope,
  ifMatch: IfMatch,
  author: Author,
): Promise<void> {
  const before = await requirePackage(db, id, scope);
  requireVersion(ifMatch, before.updatedAt);
  if (before.revokedAt !== null) return;
  const columns = { revokedAt: author.now };
  const states = difference(auditedStateOfRow(before), auditedStateOfRow({ ...before, ...columns }));
  await updatePackage(db, before, columns, undefined, author, { action: "revoke", subject: "package", ...states });
}

export async function requirePackage(db: Database, id: number, scope: AccountScope): Promise<PackageRow> {
  const row = await findAnyPackage(db, id, scope);
  if (!row) throw notFound(`Package ${id}`);
  return row;
}

const distinct = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

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
