import { and, eq, sql } from "drizzle-orm";
import type * as z from "zod";
import { limitAccount } from "../../platform/auth/gates.ts";
import { readLicenseKey, rememberedLicenseSecret } from "../../platform/auth/license-keys.ts";
import { CredentialCache } from "../../platform/auth/record-cache.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { licenseActivations, licenseKeys } from "../../platform/db/schema.ts";
import { insertSelected, violates } from "../../platform/db/statements.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { selectLicenseKeyOn } from "./license-keys.ts";
import {
  type LicenseActivation,
  type LicenseDeactivation,
  type LicenseKeyRow,
  type LicenseValidation,
  type LicenseValidationResult,
  toLicenseValidationResult,
  unknownLicense,
} from "./schemas.ts";

type LicenseContext = { env: Env; db: Database; settings: Settings };

/** Milliseconds for which an isolate answers without reading the key again, and so the longest that a revoked key remains valid. */
const MAX_AGE_MS = 60_000;

const cache = new CredentialCache<{ row: LicenseKeyRow; readAt: number }>();

const findNonce = async (ctx: LicenseContext, key: string) => readLicenseKey(await rememberedLicenseSecret(ctx), key);

/** Tells whether a key is valid, on a device if one is named. A device that is not active is always read again. */
export async function validateLicense(
  ctx: LicenseContext,
  { license_key, instance_id, test }: z.output<typeof LicenseValidation>,
): Promise<LicenseValidationResult> {
  const now = Date.now();
  const asked = { onDevice: instance_id !== undefined, test };
  const nonce = await findNonce(ctx, license_key);
  if (nonce === null) return unknownLicense;
  const name = nameOf(nonce, instance_id);
  const cached = cache.get(ctx.settings, name);
  if (cached && now - cached.readAt < MAX_AGE_MS) return toLicenseValidationResult(cached.row, asked);
  await limitAccount(ctx, "license-keys", nonce);
  const row = await selectLicenseKeyOn(ctx.db, nonce, instance_id).get();
  if (row && (!asked.onDevice || row.instances.length > 0)) cache.set(ctx.settings, name, { row, readAt: now });
  return toLicenseValidationResult(row, asked);
}

/** Cached for each device apart. */
const nameOf = (nonce: string, instanceId = ""): string => `${nonce} ${instanceId}`;

/** Finds the nonce of a key that is read or written, and counts the request against the key. */
async function countNonce(ctx: LicenseContext, key: string): Promise<string | null> {
  const nonce = await findNonce(ctx, key);
  if (nonce !== null) await limitAccount(ctx, "license-keys", nonce);
  return nonce;
}

/** Activates a key on a device. The database refuses more devices than the key allows. */
export async function activateLicense(
  ctx: LicenseContext,
  { license_key, instance_name, instance_id = crypto.randomUUID(), test }: z.output<typeof LicenseActivation>,
): Promise<LicenseValidationResult> {
  const nonce = await countNonce(ctx, license_key);
  if (nonce === null) return unknownLicense;
  const activation = {
    licenseKeyId: licenseKeys.id,
    instanceId: instance_id,
    name: instance_name,
    createdAt: Date.now(),
  };
  const insert = insertSelected(
    licenseActivations,
    activation,
    sql`FROM ${licenseKeys} WHERE ${eq(licenseKeys.nonce, nonce)} AND (${test} OR NOT ${licenseKeys.test})`,
  );
  const read = selectLicenseKeyOn(ctx.db, nonce, instance_id);
  try {
    const [, [row]] = await ctx.db.batch([statement(ctx.db, sql`${insert} ON CONFLICT DO NOTHING`), read]);
    return toLicenseValidationResult(row, { onDevice: true, test });
  } catch (error) {
    const isFull = violates(error, "license_activations_within_limit");
    if (!isFull && !violates(error, "license_key_ended")) throw error;
    const answer = toLicenseValidationResult(await read.get(), { onDevice: true, test });
    return isFull && answer.code === "not_activated" ? { ...answer, code: "activation_limit_reached" } : answer;
  }
}

/** Deactivates a key on a device, also a key that has ended. */
export async function deactivateLicense(
  ctx: LicenseContext,
  { license_key, instance_id, test }: z.output<typeof LicenseDeactivation>,
): Promise<LicenseValidationResult> {
  const nonce = await countNonce(ctx, license_key);
  if (nonce === null) return unknownLicense;
  const isIt = and(
    eq(licenseActivations.instanceId, instance_id),
    sql`${licenseActivations.licenseKeyId} = (SELECT ${licenseKeys.id} FROM ${licenseKeys} WHERE ${eq(licenseKeys.nonce, nonce)})`,
  );
  const [removed, [row]] = await ctx.db.batch([
    ctx.db.delete(licenseActivations).where(isIt),
    selectLicenseKeyOn(ctx.db, nonce),
  ]);
  if (row) cache.set(ctx.settings, nameOf(nonce, instance_id), { row, readAt: 0 });
  return toLicenseValidationResult(row, { onDevice: removed.meta.changes === 0, test });
}
