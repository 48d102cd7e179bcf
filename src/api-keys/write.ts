import { difference } from "../audit/entry.ts";
import { mintApiKey, startOf } from "../auth/api-keys/format.ts";
import { forgetApiKey } from "../auth/api-keys/limiter.ts";
import type { Author } from "../auth/author.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { Database } from "../db/client.ts";
import { merge } from "../db/merge.ts";
import { isoOrNull } from "../domain/fields.ts";
import { conflict, notFound } from "../errors.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import type { Secrets, Settings } from "../settings/settings.ts";
import { createApiKeyRow, findApiKeyById, markRevoked, updateApiKey } from "./admin-queries.ts";
import {
  type ApiKeyChange,
  type ApiKeyRow,
  auditedState,
  type MintedApiKey,
  type NewApiKey,
  type Rotation,
} from "./admin-schemas.ts";
import { stateAt } from "./state.ts";

// What administrators do with API keys. The key's limiter is told after each write, also after one whose answer was
// lost, since it may have been done: the very next request sees it.

/** What writes of API keys need: the database, the limiters that hear of a change, and the secrets of new keys. */
export type ApiKeyContext = { db: Database; env: Env; secrets: Secrets };

export const apiKeyContextOf = (c: { env: Env; var: { db: Database; settings: Settings } }): ApiKeyContext => ({
  db: c.var.db,
  env: c.env,
  secrets: c.var.settings.apiKeySecrets,
});

export async function createApiKey(
  { db, secrets }: ApiKeyContext,
  sent: NewApiKey,
  createdBy: number,
  author: Author,
): Promise<MintedApiKey> {
  const key = mintApiKey(secrets);
  const { name, permissions, tier, expires_at: expiresAt } = sent;
  const fields = { name, permissions, tier, expiresAt };
  const about = { start: startOf(key), createdBy, createdAt: author.now, updatedAt: author.now };
  const after = { ...auditedState(fields), start: about.start };
  const entry = { action: "create", subject: "api_key", before: null, after } as const;
  return createApiKeyRow(db, { ...fields, ...about, hash: hashSecret(key) }, key, author, entry);
}

export async function changeApiKey(
  { db, env }: ApiKeyContext,
  id: number,
  change: ApiKeyChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<ApiKeyRow> {
  const before = await requireApiKey(db, id);
  requireVersion(ifMatch, before.updatedAt);
  if (before.revokedAt !== null) throw conflict("revoked", "The API key was revoked: it cannot be edited any more");
  const { expires_at: expiresAt, ...others } = change;
  const after = merge<ApiKeyRow>(before, { ...others, expiresAt });
  const states = difference(auditedState(before), auditedState(after));
  const { name, permissions, tier } = after;
  const columns = { name, permissions, tier, expiresAt: after.expiresAt };
  const written = updateApiKey(db, before, columns, author, { action: "update", subject: "api_key", ...states });
  return (await written.finally(() => forgetApiKey(env, before.start))).row;
}

/** Replaces the key's value. The old one stays good for the grace, one that was in grace already ends. */
export async function rotateApiKey(
  { db, env, secrets }: ApiKeyContext,
  id: number,
  { grace_seconds }: Rotation,
  ifMatch: IfMatch,
  author: Author,
): Promise<MintedApiKey> {
  const before = await requireApiKey(db, id);
  requireVersion(ifMatch, before.updatedAt);
  const state = stateAt(before, author.now);
  if (state !== "active")
    throw conflict("api_key_not_active", `The API key is ${state}: a new value of it would be no good`);
  const key = mintApiKey(secrets, before.start);
  const previous =
    grace_seconds === 0
      ? { previousHash: null, previousExpiresAt: null }
      : { previousHash: before.hash, previousExpiresAt: author.now + grace_seconds * 1000 };
  const entry = {
    action: "rotate",
    subject: "api_key",
    before: { previous_expires_at: isoOrNull(before.previousExpiresAt) },
    after: { previous_expires_at: isoOrNull(previous.previousExpiresAt) },
  } as const;
  const written = updateApiKey(db, before, { hash: hashSecret(key), ...previous }, author, entry, key);
  return { ...(await written.finally(() => forgetApiKey(env, before.start))), key };
}

/** Revokes a key for good. Revoking it again changes nothing, but notifies its limiter once more. */
export async function revokeApiKey(
  { db, env }: ApiKeyContext,
  id: number,
  ifMatch: IfMatch,
  author: Author,
): Promise<void> {
  const before = await requireApiKey(db, id);
  requireVersion(ifMatch, before.updatedAt);
  const revoked = before.revokedAt === null ? markRevokedNow(db, before, author) : Promise.resolve();
  await revoked.finally(() => forgetApiKey(env, before.start));
}

export async function requireApiKey(db: Database, id: number): Promise<ApiKeyRow> {
  const key = await findApiKeyById(db, id);
  if (!key) throw notFound(`API key ${id}`);
  return key;
}

const markRevokedNow = (db: Database, key: ApiKeyRow, author: Author): Promise<void> =>
  markRevoked(db, key, author, {
    action: "revoke",
    subject: "api_key",
    before: { revoked_at: null },
    after: { revoked_at: isoOrNull(author.now) },
  });
