import type { apiKeys } from "../../db/schema.ts";
import type { ApiKeyCaller, Verification } from "../caller.ts";
import { sameSecret } from "../secrets.ts";

export type ApiKeyRecord = Pick<
  typeof apiKeys.$inferSelect,
  | "id"
  | "hash"
  | "previousHash"
  | "previousExpiresAt"
  | "permissions"
  | "tier"
  | "expiresAt"
  | "lastUsedAt"
  | "revokedAt"
>;

/** Whether the key with this `hash` is good at `now`, given what is known under its first characters. */
export function verifyApiKey(record: ApiKeyRecord | undefined, hash: string, now: number): Verification<ApiKeyCaller> {
  if (!record || !matches(record, hash, now)) return { valid: false, reason: "The API key is not known" };
  if (record.revokedAt !== null) return { valid: false, reason: "The API key was revoked" };
  if (record.expiresAt !== null && record.expiresAt <= now) return { valid: false, reason: "The API key has expired" };
  const { id, permissions, tier } = record;
  return { valid: true, caller: { kind: "api_key", id, permissions, tier } };
}

/** The key itself, or the one before its last rotation while that is still in grace. */
function matches({ hash, previousHash, previousExpiresAt }: ApiKeyRecord, given: string, now: number): boolean {
  if (sameSecret(hash, given)) return true;
  return previousHash !== null && (previousExpiresAt ?? 0) > now && sameSecret(previousHash, given);
}
