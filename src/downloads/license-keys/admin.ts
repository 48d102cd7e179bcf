import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { badRequest, conflict, fieldError, notFound } from "../../domain/errors.ts";
import { isBeyond } from "../../domain/numbers.ts";
import { toColumns } from "../../platform/administration/fields.ts";
import { type AuditedTable, applyChange } from "../../platform/administration/write-queries.ts";
import { countSpending, spendingRefused } from "../../platform/auth/author-limits.ts";
import { type AccountScope, accountScopeOf, type CallerContext, inScope } from "../../platform/auth/caller.ts";
import { licenseDigits, nonceIn } from "../../platform/auth/license-keys.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../platform/db/page.ts";
import {
  licenseActivations,
  licenseKeys,
  orderItems,
  products,
  uploadedLicenseKeys,
} from "../../platform/db/schema.ts";
import { merge } from "../../platform/db/statements.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import {
  type AllLicenseKeysQuery,
  type AuditedLicense,
  type LicenseKeyUpdate,
  licenseKeyFields,
  licenseKeyState,
} from "./admin-schemas.ts";
import { licenseKeyColumns, selectLicenseKeys, selectListedLicenseKeys } from "./license-keys.ts";
import type { LicenseKeyRow, licenseKeyStatuses } from "./schemas.ts";

const hasStatus = (status: (typeof licenseKeyStatuses)[number], now: number): SQL => {
  const expired = sql`coalesce(expires_at <= ${now}, FALSE)`;
  return {
    revoked: sql`revoked_at IS NOT NULL`,
    expired: sql`revoked_at IS NULL AND ${expired}`,
    active: sql`revoked_at IS NULL AND NOT ${expired}`,
  }[status];
};

/** True for the generated key with that beginning, and for each uploaded key. */
const beginsWith = (typed: string): SQL => {
  const start = licenseDigits(typed);
  return sql`${licenseKeys.nonce} IN (
    SELECT ${nonceIn(typed)}
    UNION ALL SELECT ${uploadedLicenseKeys.nonce} FROM ${uploadedLicenseKeys}
    WHERE ${uploadedLicenseKeys.start} >= ${start} AND ${uploadedLicenseKeys.start} < ${`${start}~`})`;
};

/** Lists all license keys, newest first, with the total, in one round trip. */
export function listAllLicenseKeys(
  db: Database,
  query: AllLicenseKeysQuery,
  scope: AccountScope,
  now: number,
): Promise<PageOf<LicenseKeyRow>> {
  const { key_start, user_id, order_id, product_id, status } = query;
  const where = and(
    allOf({
      key_start: key_start === undefined ? undefined : beginsWith(key_start),
      user_id: user_id === undefined ? undefined : eq(licenseKeys.userId, user_id),
      order_id: order_id === undefined ? undefined : eq(licenseKeys.orderId, order_id),
      product_id: product_id === undefined ? undefined : eq(licenseKeys.productId, product_id),
      status: status && hasStatus(status, now),
    } satisfies Conditions<AllLicenseKeysQuery>),
    inScope(scope, licenseKeys.userId),
  );
  const rows = selectListedLicenseKeys(db).where(where).orderBy(desc(licenseKeys.id));
  return readPage(db, query, rows, licenseKeys, where);
}

export async function requireLicenseKey(db: Database, id: number, scope: AccountScope): Promise<LicenseKeyRow> {
  const isIt = and(eq(licenseKeys.id, id), inScope(scope, licenseKeys.userId));
  const row = await selectLicenseKeys(db).where(isIt).get();
  if (!row) throw notFound(`License key ${id}`);
  return row;
}

const { instances, uploaded, ...columns } = licenseKeyColumns;

const auditedLicenseKeys: AuditedTable<LicenseKeyRow, AuditedLicense> = {
  table: licenseKeys,
  name: "license_keys",
  subject: "license_key",
  json: jsonRow<LicenseKeyRow>(columns, { instances, uploaded }),
  audited: licenseKeyState,
  refusals: {
    license_activations_within_limit: () =>
      badRequest(fieldError("activation_limit", "below_use", "is below the number of active devices")),
  },
};

type Which = { id: number; ifMatch: IfMatch };

/** True if a key is worth more after a change: for more devices, or for longer. */
const isExtended = (before: LicenseTerms, after: LicenseTerms): boolean =>
  after.activationLimit > before.activationLimit ||
  isBeyond(after.expiresAt, before.expiresAt) ||
  isBeyond(after.updatesUntil, before.updatesUntil);

type LicenseTerms = Pick<LicenseKeyRow, "activationLimit" | "expiresAt" | "updatesUntil">;

/**
 * Changes the limit and the dates of a key. Extending it gives away its product, whose price counts against the limits of staff. A
 * revoked key stays revoked.
 */
export async function changeLicenseKey(
  ctx: CallerContext,
  { id, change, ifMatch }: Which & { change: LicenseKeyUpdate },
): Promise<LicenseKeyRow> {
  const { db, author } = ctx;
  const before = await requireLicenseKey(db, id, accountScopeOf(ctx.caller));
  const sold = db
    .select({ price: products.price, license: orderItems.license })
    .from(products)
    .innerJoin(orderItems, eq(orderItems.id, before.orderItemId))
    .where(eq(products.id, before.productId));
  const { price, license } = requireRow(await sold.get());
  const keysFor = (devices: number) => Math.ceil(devices / (license?.activation_limit ?? devices));
  const decide = () => {
    if (before.revokedAt !== null) throw conflict("revoked", "The license key was revoked");
    const columns = toColumns(licenseKeyFields, change);
    const after = merge<LicenseKeyRow>(before, columns);
    // Devices beyond the sold number are worth more keys, in one step or in many.
    const keys = Math.max(1, keysFor(after.activationLimit) - keysFor(before.activationLimit));
    const amount = isExtended(before, after) ? price * keys : 0;
    return { columns, ahead: countSpending({ author, amount }), refusals: spendingRefused({ db, author, amount }) };
  };
  return applyChange(ctx, { target: auditedLicenseKeys, action: "update", before, ifMatch, decide });
}

/** Deactivates a key on all devices. */
export async function resetLicenseKey(ctx: CallerContext, { id, ifMatch }: Which): Promise<LicenseKeyRow> {
  const before = await requireLicenseKey(ctx.db, id, accountScopeOf(ctx.caller));
  const statements = [ctx.db.delete(licenseActivations).where(eq(licenseActivations.licenseKeyId, id)).getSQL()];
  const decide = () => ({ columns: {}, related: { activations: 0 }, statements });
  return applyChange(ctx, { target: auditedLicenseKeys, action: "reset", before, ifMatch, decide });
}

/** Revokes a key permanently. Software learns it within a minute. Has no effect on a revoked key. */
export async function revokeLicenseKey(ctx: CallerContext, { id, ifMatch }: Which): Promise<void> {
  const before = await requireLicenseKey(ctx.db, id, accountScopeOf(ctx.caller));
  const decide = () => ({ columns: { revokedAt: before.revokedAt ?? ctx.author.now } });
  await applyChange(ctx, { target: auditedLicenseKeys, action: "revoke", before, ifMatch, decide });
}
