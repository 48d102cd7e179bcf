import { eq, sql } from "drizzle-orm";
import { apiKeys } from "../../../integrations/api-keys/tables.ts";
import type { TokenResource } from "../../../integrations/apps/tables.ts";
import type { Database } from "../../db/client.ts";
import { json } from "../../db/json.ts";
import type { ApiKeyCaller, Verification } from "../caller.ts";
import { sameSecret } from "../secrets.ts";
import { isAllowedAddress, isAllowedOrigin } from "./allowed-callers.ts";

const recordColumns = {
  id: apiKeys.id,
  hash: apiKeys.hash,
  previousHash: apiKeys.previousHash,
  previousExpiresAt: apiKeys.previousExpiresAt,
  permissions: apiKeys.permissions,
  tier: apiKeys.tier,
  test: apiKeys.test,
  allowedAddresses: apiKeys.allowedAddresses,
  allowedOrigins: apiKeys.allowedOrigins,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
  appId: apiKeys.appId,
  createdAt: apiKeys.createdAt,
};

/** An access token of an app's installation. */
type AppToken = { hash: string; resource: TokenResource; expiresAt: number };

const appTokensOfKey = json<AppToken[]>(sql`CASE WHEN app_id IS NULL THEN '[]' ELSE (
  SELECT json_group_array(json_object('hash', hash, 'resource', resource, 'expiresAt', expires_at))
  FROM app_tokens WHERE api_key_id = api_keys.id AND kind = 'access') END`);

/** The record of a key, or of an app's installation with its access tokens. */
export type ApiKeyRecord = Pick<typeof apiKeys.$inferSelect, keyof typeof recordColumns> & { tokens: AppToken[] };

const NOT_THIS_ORIGIN =
  "The API key may only be used by pages of its allowed origins. A server needs a key without allowed origins";

/**
 * A key as a request presents it: its hash, the address of the connection, the origin of the page that sent it, and what
 * it asks for.
 */
export type PresentedKey = {
  hash: string;
  address: string | undefined;
  origin: string | undefined;
  resource?: TokenResource | undefined;
};

/** Verifies a key at `now`, given the record of its start. */
export function verifyApiKey(
  record: ApiKeyRecord | undefined,
  { hash, address, origin, resource }: PresentedKey,
  now: number,
): Verification<ApiKeyCaller> {
  if (record && record.appId !== null) return verifyAppToken(record, { hash, resource }, now);
  if (!record || !matches(record, hash, now)) return { valid: false, reason: "The API key is unknown" };
  if (record.revokedAt !== null) return { valid: false, reason: "The API key was revoked" };
  if (record.expiresAt !== null && record.expiresAt <= now) return { valid: false, reason: "The API key has expired" };
  if (!isAllowedAddress(record.allowedAddresses, address)) {
    return { valid: false, code: "address_not_allowed", reason: "The API key may not be used from this address" };
  }
  if (!isAllowedOrigin(record.allowedOrigins, origin)) {
    return { valid: false, code: "origin_not_allowed", reason: NOT_THIS_ORIGIN };
  }
  return { valid: true, caller: callerOf(record) };
}

const callerOf = ({ id, permissions, tier, test, allowedOrigins, appId, createdAt }: ApiKeyRecord): ApiKeyCaller => ({
  kind: "api_key",
  id,
  permissions,
  tier,
  test,
  createdAt,
  isPublic: allowedOrigins.length > 0,
  isApp: appId !== null,
});

/** Verifies an access token of an app, which is valid for one resource (RFC 8707). */
function verifyAppToken(
  record: ApiKeyRecord,
  { hash, resource }: Pick<PresentedKey, "hash" | "resource">,
  now: number,
): Verification<ApiKeyCaller> {
  if (record.revokedAt !== null) return { valid: false, reason: "The app was removed" };
  const token = record.tokens.find((each) => sameSecret(each.hash, hash));
  if (!token) return { valid: false, reason: "The access token is unknown or was revoked" };
  if (token.expiresAt <= now) return { valid: false, reason: "The access token has expired" };
  if (token.resource !== resource) return { valid: false, reason: `The access token is only for ${token.resource}` };
  return { valid: true, caller: callerOf(record) };
}

/** Matches the key, or the previous one during its grace period. */
function matches({ hash, previousHash, previousExpiresAt }: ApiKeyRecord, given: string, now: number): boolean {
  if (sameSecret(hash, given)) return true;
  return previousHash !== null && (previousExpiresAt ?? 0) > now && sameSecret(previousHash, given);
}

/** Returns the key's record for its limiter, by the key's start. */
export const findApiKey = (db: Database, start: string): Promise<ApiKeyRecord | undefined> =>
  db
    .select({ ...recordColumns, tokens: appTokensOfKey })
    .from(apiKeys)
    .where(eq(apiKeys.start, start))
    .get();

/** Stores a key, of which only `hash` and its first characters are kept. */
export const insertApiKey = (db: Database, key: typeof apiKeys.$inferInsert) =>
  db.insert(apiKeys).values(key).returning();

export const touchApiKey = async (db: Database, id: number, lastUsedAt: number): Promise<void> => {
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id));
};
