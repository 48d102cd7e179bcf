import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { badRequest, conflict, type FieldError, fieldError, notFound, requireFound } from "../../domain/errors.ts";
import { isBeyond } from "../../domain/numbers.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  type AuditedTable,
  applyChange,
  applyCreation,
  type Creation,
} from "../../platform/administration/write-queries.ts";
import { countSpending, spendingRefused } from "../../platform/auth/author-limits.ts";
import { type AccountScope, accountScopeOf, type CallerContext, inScope } from "../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readFollowing, readPage } from "../../platform/db/page.ts";
import { packages } from "../../platform/db/schema.ts";
import { merge } from "../../platform/db/statements.ts";
import { hasCursor, type PageQuery } from "../../platform/http/pagination.ts";
import { type IfMatch, requireVersion } from "../../platform/http/version.ts";
import {
  type AuditedPackage,
  type PackageCreate,
  type PackagesQuery,
  type PackageUpdate,
  packageFields,
  packageState,
} from "./admin-schemas.ts";
import type { PackageRow, PackageStatus } from "./schemas.ts";

/** Translates package statuses into SQL conditions. */
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

/** Lists all users' packages, newest first, with the total, in one round trip. */
export function listAllPackages(
  db: Database,
  query: PackagesQuery,
  scope: AccountScope,
  now: number,
): Promise<PageOf<PackageRow>> {
  const { user_id, order_id, status } = query;
  const where = and(
    allOf({
      user_id: user_id === undefined ? undefined : eq(packages.userId, user_id),
      order_id: order_id === undefined ? undefined : eq(packages.orderId, order_id),
      status: status && having(status, now),
    } satisfies Conditions<PackagesQuery>),
    inScope(scope, packages.userId),
  );
  if (hasCursor(query)) {
    const columns = { id: packages.id, changedAt: packages.updatedAt, read: ({ updatedAt }: PackageRow) => updatedAt };
    return readFollowing(db, query, columns, (isAfter, order) =>
      selectPackages(db)
        .where(and(where, isAfter))
        .orderBy(...order),
    );
  }
  const rows = selectPackages(db).where(where).orderBy(desc(packages.id));
  return readPage(db, query, rows, packages, where);
}

const findAnyPackage = (db: Database, id: number, scope: AccountScope): Promise<PackageRow | undefined> =>
  selectPackages(db)
    .where(and(eq(packages.id, id), inScope(scope, packages.userId)))
    .get();

/** References of a package: whether its user exists, missing files by their index in the list, and the files' value. */
type References = { userExists: boolean; missingFiles: [index: number, id: number][]; value: number };

/** Price of the cheapest products that sell these files. `files` is a query for their ids. */
const priceOfFiles = (files: SQL): SQL<number> => sql<number>`(
  SELECT coalesce(sum(price), 0) FROM products WHERE id IN (
    SELECT (
      SELECT products.id FROM product_files JOIN products ON products.id = product_id
      WHERE file_id = given.id AND status = 'active' ORDER BY price, products.id LIMIT 1
    ) FROM (${files}) AS given))`;

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
      value: priceOfFiles(sql`SELECT value AS id FROM json_each(${JSON.stringify(fileIds)})`),
    })
    .from(sql`(SELECT 1)`);

const findReferences = async (
  db: Database,
  fileIds: number[],
  userId: number,
  scope: AccountScope,
): Promise<References> => requireFirst(await references(db, fileIds, userId, scope));

/** Reads a package, the value of its files and of those that a change adds, and checks what the change refers to, in one round trip. */
async function findForChange(db: Database, id: number, fileIds: number[], scope: AccountScope) {
  const found = db
    .select({
      ...packageColumns,
      heldValue: priceOfFiles(heldFiles),
      addedValue: priceOfFiles(
        sql`SELECT value AS id FROM json_each(${JSON.stringify(fileIds)}) WHERE value NOT IN (${heldFiles})`,
      ),
    })
    .from(packages)
    .where(and(eq(packages.id, id), inScope(scope, packages.userId)));
  const [[row], refers] = await db.batch([found, references(db, fileIds, null, scope)]);
  const { missingFiles, value } = requireFirst(refers);
  return { row, missingFiles, value };
}

const heldFiles = sql`SELECT file_id AS id FROM package_files WHERE package_id = packages.id`;

/** True if a package is worth more after a change: for more downloads, or for longer. */
const isExtended = (before: PackageRow, after: PackageRow): boolean =>
  isBeyond(after.downloadLimit, before.downloadLimit) || isBeyond(after.expiresAt, before.expiresAt);

const holdFiles = (packageId: SQL | number, fileIds: number[]): SQL => sql`
  INSERT INTO package_files (package_id, file_id)
  SELECT ${packageId}, value FROM json_each(${JSON.stringify(fileIds)})`;

const filesOf = (fileIds: number[]) => fileIds.map((id) => ({ id }));

const filesOfPackage = json<PackageRow["files"]>(sql`(
  SELECT json_group_array(
    json_object('id', files.id, 'name', files.name, 'file_name', files.file_name, 'size_bytes', files.size_bytes)
    ORDER BY files.id
  )
  FROM package_files JOIN files ON files.id = file_id WHERE package_id = packages.id
)`);

const packageColumns = { ...getTableColumns(packages), files: filesOfPackage };

const packageAsJson = jsonRow<PackageRow>(getTableColumns(packages), { files: filesOfPackage });

const auditedPackages: AuditedTable<PackageRow, AuditedPackage> = {
  table: packages,
  name: "packages",
  subject: "package",
  json: packageAsJson,
  audited: packageState,
  refusals: {
    "FOREIGN KEY": () => badRequest(fieldError("file_ids", "unknown_reference", "names a file that does not exist")),
    downloads_within_limit: () =>
      badRequest(fieldError("download_limit", "below_use", "is below the number of used downloads")),
  },
};

/** Creates a package. Ids only ever grow, so within the batch the newest id is the new package's. */
const newPackage = ({
  fileIds,
  ...row
}: Omit<AuditedPackage, "files"> & { fileIds: number[] }): Creation<AuditedPackage> => ({
  row,
  where: sql`id = (SELECT max(id) FROM packages)`,
  state: { ...row, files: filesOf(fileIds) },
  statements: (id) => [holdFiles(id, fileIds)],
});

/** Makes a package hold exactly these files. */
const replaceFiles = (id: number, fileIds: number[]) => ({
  related: { files: filesOf(fileIds) },
  statements: [sql`DELETE FROM package_files WHERE package_id = ${id}`, holdFiles(id, fileIds)],
});

// Grants, changes and revocations of download packages.

/** Counts the value of files that staff give away against their limits. */
const counted = ({ db, author }: CallerContext, amount: number) => ({
  ahead: countSpending({ author, amount }),
  refusals: spendingRefused({ db, author, amount }),
});

export async function grantPackage(ctx: CallerContext, sent: PackageCreate): Promise<PackageRow> {
  const scope = accountScopeOf(ctx.caller);
  const { userExists, missingFiles, value } = await findReferences(ctx.db, sent.file_ids, sent.user_id, scope);
  refuseMissing(
    missingFiles,
    userExists ? [] : [fieldError("user_id", "unknown_reference", `user ${sent.user_id} does not exist`)],
  );
  const { now } = ctx.author;
  const row = newRow(packageFields, sent, {});
  if (row.expiresAt !== null && row.expiresAt <= now)
    throw badRequest(fieldError("expires_at", "in_the_past", "must be in the future"));
  const granted = { ...row, userId: sent.user_id, startsAt: sent.starts_at ?? now, revokedAt: null };
  const { ahead, refusals } = counted(ctx, value);
  const target = { ...auditedPackages, refusals: { ...auditedPackages.refusals, ...refusals } };
  return applyCreation(ctx, { target, ...newPackage(granted), ahead });
}

/** Changes a package. Extending it gives its files away, and adding files those. A revoked package stays revoked. */
export async function changePackage(
  ctx: CallerContext,
  { id, change, ifMatch }: { id: number; change: PackageUpdate; ifMatch: IfMatch },
): Promise<PackageRow> {
  const scope = accountScopeOf(ctx.caller);
  const { row, missingFiles, value } = await findForChange(ctx.db, id, change.file_ids ?? [], scope);
  if (!row) throw notFound(`Package ${id}`);
  const decide = () => {
    if (row.revokedAt !== null) throw conflict("revoked", "The package was revoked. Grant a new one");
    refuseMissing(missingFiles, []);
    const { fileIds, ...columns } = toColumns(packageFields, change);
    const after = merge<PackageRow>(row, columns);
    refuseLimits(after);
    const extended = fileIds ? value : row.heldValue;
    const amount = isExtended(row, after) ? extended : row.addedValue;
    return { columns, ...(fileIds && replaceFiles(id, fileIds)), ...counted(ctx, amount) };
  };
  return applyChange(ctx, { target: auditedPackages, action: "update", before: row, ifMatch, decide });
}

/** Revokes a package permanently, including links already issued. Has no effect on a revoked package. */
export async function revokePackage(
  ctx: CallerContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
): Promise<void> {
  const before = await requirePackage(ctx.db, id, accountScopeOf(ctx.caller));
  if (before.revokedAt !== null) return requireVersion(ifMatch, before.updatedAt);
  const decide = () => ({ columns: { revokedAt: ctx.author.now } });
  await applyChange(ctx, { target: auditedPackages, action: "revoke", before, ifMatch, decide });
}

export const requirePackage = (db: Database, id: number, scope: AccountScope): Promise<PackageRow> =>
  requireFound(findAnyPackage(db, id, scope), `Package ${id}`);

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
      fieldError("download_limit", "below_use", `must not be below the ${downloadsUsed} used downloads`),
    );
  }
  if (expiresAt !== null && expiresAt <= startsAt)
    throw badRequest(fieldError("expires_at", "invalid", "must be after the start"));
}

export const selectPackages = (db: Database) => db.select(packageColumns).from(packages);

/** Lists a user's packages, newest first, with the total, in one round trip. */
export function listPackages(db: Database, userId: number, query: PageQuery): Promise<PageOf<PackageRow>> {
  const mine = eq(packages.userId, userId);
  const rows = selectPackages(db).where(mine).orderBy(desc(packages.id));
  return readPage(db, query, rows, packages, mine);
}
