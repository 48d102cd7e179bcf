import { eq, sql } from "drizzle-orm";
import { mintApiKey } from "../../platform/auth/api-keys/format.ts";
import { forgetApiKey } from "../../platform/auth/api-keys/home.ts";
import type { SettingsContext } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";
import { ACCESS_TOKEN_MS } from "../../platform/auth/tokens.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { apiKeys, apps, appTokens, type TokenResource } from "../../platform/db/schema.ts";
import { insertRows, updateRows, violates } from "../../platform/db/statements.ts";
import { type CodeRow, spendAppCode } from "./codes.ts";
import { authorizationEnded, requireResource } from "./errors.ts";

// Tokens of installations. An access token has the form of an API key, so that a forged one is refused without I/O, and the
// installation's limiters hold its hash: a new or ended token takes effect at the next request, in every region.

/** Tokens that a client gets for a code or a refresh token. `expiresIn` is the access token's, in seconds. */
export type Tokens = { accessToken: string; refreshToken: string; expiresIn: number; scopes: string[] };

/** Lifetime of a refresh token that is not exchanged. An app may have nothing to do for weeks. */
const REFRESH_MS = 90 * 24 * 60 * 60_000;

/** A spent token may be sent again for this time, because its answer was probably lost. */
const GRACE_MS = 10_000;

/** Devices on which one administrator uses an app at once. The one that got its tokens first loses them. */
const MOST_FAMILIES = 10;

type Installation = { apiKeyId: number; start: string; permissions: string[]; family: string; resource: TokenResource };

function newTokens(
  { settings, author }: SettingsContext,
  installation: Installation,
  parentHash: string | null = null,
) {
  const { apiKeyId, start, permissions, family, resource } = installation;
  const [accessToken, refreshToken] = [mintApiKey(settings.apiKeySecrets, start), randomToken("sfa_")];
  const rowOf = (token: string, kind: "access" | "refresh", lifetime: number, parent: string | null) => ({
    hash: hashSecret(token),
    apiKeyId,
    family,
    kind,
    resource,
    parentHash: parent,
    expiresAt: author.now + lifetime,
    createdAt: author.now,
  });
  const rows = [
    rowOf(accessToken, "access", ACCESS_TOKEN_MS, null),
    rowOf(refreshToken, "refresh", REFRESH_MS, parentHash),
  ];
  const tokens: Tokens = { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_MS / 1000, scopes: permissions };
  return { tokens, insert: insertRows(appTokens, rows) };
}

/** Exchanges a code for the tokens of its installation. Null for a used code. */
export async function exchangeStaffCode(
  ctx: SettingsContext,
  { apiKeyId, ...code }: CodeRow["code"] & { apiKeyId: number },
): Promise<Tokens | null> {
  const { env, db } = ctx;
  const key = await db.select().from(apiKeys).where(eq(apiKeys.id, apiKeyId)).get();
  if (!key) throw authorizationEnded();
  const { tokens, insert } = newTokens(ctx, { ...key, apiKeyId, family: code.hash, resource: code.resource });
  const isNew = await spendAppCode(ctx, code, [
    insert,
    sql`DELETE FROM app_tokens WHERE api_key_id = ${apiKeyId} AND family NOT IN (
      SELECT family FROM app_tokens WHERE api_key_id = ${apiKeyId}
      GROUP BY family ORDER BY max(created_at) DESC, max(rowid) DESC LIMIT ${MOST_FAMILIES})`,
  ]);
  if (isNew) await forgetApiKey(env, key.start);
  return isNew ? tokens : null;
}

const findToken = (db: Database, token: string) =>
  db
    .select({ token: appTokens, start: apiKeys.start, permissions: apiKeys.permissions, clientId: apps.clientId })
    .from(appTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, appTokens.apiKeyId))
    .innerJoin(apps, eq(apps.id, apiKeys.appId))
    .where(eq(appTokens.hash, hashSecret(token)))
    .get();

/** Exchanges a refresh token for new tokens. Undefined for a token that no installation has. */
export async function refreshInstallation(
  ctx: SettingsContext,
  { token, clientId, resource }: { token: string; clientId: string; resource: TokenResource | undefined },
): Promise<Tokens | undefined> {
  const { env, db, author } = ctx;
  const stored = await findToken(db, token);
  if (stored?.clientId !== clientId || stored.token.kind !== "refresh") return undefined;
  const { hash, apiKeyId, family, spentAt, expiresAt } = stored.token;
  requireResource(stored.token.resource, resource);
  if (expiresAt <= author.now) throw authorizationEnded();
  const { tokens, insert } = newTokens(ctx, { ...stored, ...stored.token }, hash);
  // Somebody may hold a copy of a token that was spent long ago, or whose replacement was used (RFC 9700, section 4.14.2).
  let isReused = spentAt !== null && spentAt + GRACE_MS <= author.now;
  try {
    if (!isReused)
      await runAll(db, [
        updateRows(appTokens, { spentAt: author.now }, sql`hash = ${hash} AND spent_at IS NULL`),
        // A replacement that was never used is replaced in turn. A used one cannot be, and refuses the batch.
        sql`DELETE FROM app_tokens WHERE parent_hash = ${hash} AND spent_at IS NULL`,
        // The latest access token stays for requests under way.
        sql`DELETE FROM app_tokens WHERE api_key_id = ${apiKeyId} AND kind = 'access' AND family = ${family} AND hash NOT IN (
        SELECT hash FROM app_tokens WHERE family = ${family} AND kind = 'access' ORDER BY created_at DESC, rowid DESC LIMIT 1)`,
        insert,
      ]);
  } catch (error) {
    if (violates(error, "FOREIGN KEY") || violates(error, "app_is_removed")) throw authorizationEnded();
    isReused = violates(error, "app_tokens.parent_hash");
    if (!isReused) throw error;
  }
  if (isReused) {
    await endFamily(ctx, family);
    throw authorizationEnded();
  }
  await forgetApiKey(env, stored.start);
  return tokens;
}

/** Ends the tokens that were exchanged for a code. */
export async function endFamily({ env, db }: Pick<SettingsContext, "env" | "db">, family: string): Promise<void> {
  const owner = await db
    .select({ start: apiKeys.start })
    .from(appTokens)
    .innerJoin(apiKeys, eq(apiKeys.id, appTokens.apiKeyId))
    .where(eq(appTokens.family, family))
    .get();
  await db.delete(appTokens).where(eq(appTokens.family, family));
  if (owner) await forgetApiKey(env, owner.start);
}

/** Ends the tokens that belong together with this one, if it is the client's. Returns false for an unknown token. */
export async function revokeInstallationToken(
  ctx: Pick<SettingsContext, "env" | "db">,
  { token, clientId }: { token: string; clientId: string },
): Promise<boolean> {
  const stored = await findToken(ctx.db, token);
  if (stored?.clientId !== clientId) return false;
  await endFamily(ctx, stored.token.family);
  return true;
}
