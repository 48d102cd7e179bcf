import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { conflict, requireFound } from "../../domain/errors.ts";
import { isoOrNull } from "../../domain/fields.ts";
import { UNUSED_MS } from "../../domain/limits.ts";
import { fold } from "../../domain/text.ts";
import { auditedState, newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  type AuditedTable,
  applyChange,
  applyCreation,
  type Creation,
} from "../../platform/administration/write-queries.ts";
import { KEY_PREFIX, mintApiKey, startOf, TEST_KEY_PREFIX } from "../../platform/auth/api-keys/format.ts";
import { forgetApiKey } from "../../platform/auth/api-keys/home.ts";
import { requireFresh, type UserCaller, type WriteContext } from "../../platform/auth/caller.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { allOf, type Conditions, readPage } from "../../platform/db/page.ts";
import { apiKeys } from "../../platform/db/schema.ts";
import { comparedName, foldedByName } from "../../platform/db/search-words.ts";
import { violates } from "../../platform/db/statements.ts";
import { type IfMatch, requireVersion } from "../../platform/http/version.ts";
import {
  type ApiKeyCreate,
  type ApiKeyRow,
  type ApiKeysQuery,
  type ApiKeyUpdate,
  type ApiKeyWithSecret,
  type KeyState,
  type Rotation,
  stateAt,
} from "./admin-schemas.ts";
import { type ApiKeyState, apiKeyFields } from "./fields.ts";

/** Lists API keys, newest first, with the total, in one round trip. Installations of apps are listed apart. */
export function listApiKeys(db: Database, query: ApiKeysQuery, now: number) {
  const { search, state, tier, unused } = query;
  const chosen = allOf({
    search: search === undefined ? undefined : matching(search),
    state: state && inState(state, now),
    tier: tier && eq(apiKeys.tier, tier),
    unused: unused && and(inState("active", now), lte(lastUse, now - UNUSED_MS)),
  } satisfies Conditions<ApiKeysQuery>);
  const where = and(isNull(apiKeys.appId), chosen);
  const rows = db.select().from(apiKeys).where(where).orderBy(desc(apiKeys.id));
  return readPage(db, query, rows, apiKeys, where);
}

/** Time of a key's last request, or of its creation. */
const lastUse = sql`ifnull(${apiKeys.lastUsedAt}, ${apiKeys.createdAt})`;

const findApiKeyById = (db: Database, id: number): Promise<ApiKeyRow | undefined> =>
  db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.appId)))
    .get();

type AuditedApiKey = ApiKeyState & { revokedAt?: number | null };

export const auditedApiKeys: AuditedTable<ApiKeyRow, AuditedApiKey> = {
  table: apiKeys,
  name: "api_keys",
  subject: "api_key",
  json: jsonRow<ApiKeyRow>(getTableColumns(apiKeys)),
  folded: foldedByName,
  audited: ({ revokedAt, ...state }) => ({
    ...auditedState(apiKeyFields, state),
    ...(revokedAt !== undefined && { revoked_at: isoOrNull(revokedAt) }),
  }),
};

type NewKey = ApiKeyState & { test: boolean; start: string; createdBy: number };

/** Creates an API key. `key` is its value, of which only the hash is stored. */
export const newApiKey = (row: NewKey, key: string): Creation<AuditedApiKey> => ({
  row: { ...row, hash: hashSecret(key) },
  where: sql`start = ${row.start}`,
  state: row,
  details: { start: row.start, test: row.test },
  secret: { key },
});

/** Matches part of the name or the first characters of the key. The search text is literal, not a pattern. */
const matching = (search: string): SQL | undefined =>
  or(sql`instr(${comparedName}, ${fold(search)}) > 0`, sql`instr(${apiKeys.start}, ${startOf(search)}) = 1`);

function inState(state: KeyState, now: number): SQL | undefined {
  if (state === "revoked") return isNotNull(apiKeys.revokedAt);
  const notExpired = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  return and(isNull(apiKeys.revokedAt), state === "active" ? notExpired : lte(apiKeys.expiresAt, now));
}

// Writes of API keys. The key's limiter is notified after each write, even if the write's answer was lost, since it may have
// succeeded. The very next request sees the change.

type KeyContext = Pick<WriteContext, "env" | "db" | "author">;

export async function createApiKey(ctx: WriteContext<UserCaller>, sent: ApiKeyCreate): Promise<ApiKeyWithSecret> {
  requireFresh(ctx.author);
  const { test, ...fields } = sent;
  const key = mintApiKey(ctx.settings.apiKeySecrets, test ? TEST_KEY_PREFIX : KEY_PREFIX);
  const row = { ...newRow(apiKeyFields, fields, {}), test, start: startOf(key), createdBy: ctx.caller.id };
  const created = await applyCreation(ctx, { target: auditedApiKeys, ...newApiKey(row, key) });
  return { ...created, key };
}

export async function changeApiKey(
  ctx: KeyContext,
  { id, change, ifMatch }: { id: number; change: ApiKeyUpdate; ifMatch: IfMatch },
): Promise<ApiKeyRow> {
  const before = await requireApiKey(ctx.db, id);
  return changeKey(ctx, { before, change, ifMatch });
}

/** Changes a key, or the installation of an app. */
export async function changeKey(
  ctx: KeyContext,
  { before, change, ifMatch }: { before: ApiKeyRow; change: ApiKeyUpdate; ifMatch: IfMatch },
): Promise<ApiKeyRow> {
  requireFresh(ctx.author);
  const decide = () => {
    if (before.revokedAt !== null) throw conflict("revoked", "The API key was revoked and cannot be edited");
    return { columns: toColumns(apiKeyFields, change) };
  };
  const written = applyChange(ctx, { target: auditedApiKeys, action: "update", before, ifMatch, decide });
  return written.finally(() => forgetApiKey(ctx.env, before.start));
}

/** Replaces the key's value. The old value works for the grace period; a value already in its grace period ends. */
export async function rotateApiKey(
  ctx: KeyContext & Pick<WriteContext, "settings">,
  { id, grace_seconds, ifMatch }: Rotation & { id: number; ifMatch: IfMatch },
): Promise<ApiKeyWithSecret> {
  const { db, env, settings, author } = ctx;
  requireFresh(author);
  const before = await requireApiKey(db, id);
  const key = mintApiKey(settings.apiKeySecrets, before.start);
  const decide = () => {
    const state = stateAt(before, author.now);
    if (state !== "active") throw conflict("api_key_not_active", `The API key is ${state} and cannot be rotated`);
    const previous =
      grace_seconds === 0
        ? { previousHash: null, previousExpiresAt: null }
        : { previousHash: before.hash, previousExpiresAt: author.now + grace_seconds * 1000 };
    const details = { previous_expires_at: isoOrNull(previous.previousExpiresAt) };
    return { columns: { hash: hashSecret(key), ...previous }, details, secret: { key } };
  };
  const written = applyChange(ctx, { target: auditedApiKeys, action: "rotate", before, ifMatch, decide });
  return { ...(await written.finally(() => forgetApiKey(env, before.start))), key };
}

/**
 * Revokes a key permanently, even while it is being edited. Concurrent revocations both succeed. Revoking again changes
 * nothing but notifies the limiter once more.
 */
export async function revokeApiKey(ctx: KeyContext, { id, ifMatch }: { id: number; ifMatch: IfMatch }): Promise<void> {
  await revokeKey(ctx, { before: await requireApiKey(ctx.db, id), ifMatch });
}

/** Revokes a key, or removes the installation of an app. */
export async function revokeKey(
  ctx: KeyContext,
  { before, ifMatch }: { before: ApiKeyRow; ifMatch: IfMatch },
): Promise<void> {
  requireVersion(ifMatch, before.updatedAt);
  const revoked = before.revokedAt === null ? markRevoked(ctx, { before, ifMatch }) : Promise.resolve();
  await revoked.finally(() => forgetApiKey(ctx.env, before.start));
}

async function markRevoked(
  ctx: KeyContext,
  { before, ifMatch }: { before: ApiKeyRow; ifMatch: IfMatch },
): Promise<void> {
  const decide = () => ({ columns: { revokedAt: ctx.author.now }, anyVersion: true as const });
  try {
    await applyChange(ctx, { target: auditedApiKeys, action: "revoke", before, ifMatch, decide });
  } catch (error) {
    if (!violates(error, "revoked_api_key_is_final")) throw error;
  }
}

export const requireApiKey = (db: Database, id: number): Promise<ApiKeyRow> =>
  requireFound(findApiKeyById(db, id), `API key ${id}`);
