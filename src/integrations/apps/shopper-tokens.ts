import { eq, sql } from "drizzle-orm";
import {
  type AccountContext,
  closeSession,
  endSessionOf,
  type NewSession,
  newSession,
  refreshSession,
  sessionInserts,
} from "../../accounts/users/public.ts";
import { ApiError } from "../../domain/errors.ts";
import { isShopperScope } from "../../platform/auth/scopes.ts";
import { type AppGrant, signAccessToken, verifyAccessToken } from "../../platform/auth/tokens.ts";
import { runAll } from "../../platform/db/client.ts";
import { appCodes, type TokenResource } from "../../platform/db/schema.ts";
import { precondition, updateRows, violates } from "../../platform/db/statements.ts";
import type { CodeRow } from "./codes.ts";
import { OAuthError } from "./errors.ts";
import type { Tokens } from "./installation-tokens.ts";

// Tokens of an app that acts for a shopper: a session of the account, limited to the scopes that the shopper agreed to.

/** Exchanges a code for a session of the shopper. Null for a used code. */
export async function exchangeShopperCode(
  ctx: AccountContext,
  { code: { hash, appId, userId, resource, scopes }, clientId }: CodeRow,
): Promise<Tokens | null> {
  const app = { appId, resource, scopes: scopes.filter(isShopperScope) };
  const session = { ...newSession(ctx.author.now, ctx.client), app };
  const written = runAll(ctx.db, [
    precondition(sql`EXISTS (SELECT 1 FROM app_codes JOIN users ON users.id = user_id
      WHERE hash = ${hash} AND disabled_at IS NULL)`),
    updateRows(appCodes, { spentAt: session.now, sessionId: session.id }, eq(appCodes.hash, hash)),
    ...sessionInserts(ctx, { userId, session }).map((insert) => insert.getSQL()),
  ]);
  try {
    await written;
  } catch (error) {
    if (violates(error, "app_code_is_spent")) return null;
    if (violates(error, "row_changed")) throw ended();
    throw error;
  }
  return tokensOf(ctx, { userId, session, app: { ...app, clientId } });
}

async function tokensOf(
  { settings }: Pick<AccountContext, "settings">,
  { userId, session, app }: { userId: number; session: NewSession; app: AppGrant & { clientId: string } },
): Promise<Tokens> {
  const claims = { userId, sessionId: session.id, authenticatedAt: session.authenticatedAt };
  const { token, expiresAt } = await signAccessToken(settings, claims, session.now, session.endsAt, app);
  const expiresIn = Math.floor((expiresAt - session.now) / 1000);
  return { accessToken: token, refreshToken: session.refreshToken, expiresIn, scopes: app.scopes };
}

const ended = () => new OAuthError("invalid_grant", "The authorization has ended. Ask the person again");

/** Exchanges the refresh token of an app's session. */
export async function refreshShopper(
  ctx: AccountContext,
  { token, clientId, resource }: { token: string; clientId: string; resource: TokenResource | undefined },
): Promise<Tokens> {
  const { user, session } = await refreshSession(ctx, token, clientId).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 401 ? ended() : error;
  });
  const { app } = session;
  if (!app) throw ended();
  if (resource !== undefined && resource !== app.resource)
    throw new OAuthError("invalid_target", "The refresh token is for another resource");
  return tokensOf(ctx, { userId: user.id, session, app: { ...app, clientId } });
}

/** Ends the session that an access or refresh token belongs to, if it is the client's. */
export async function revokeShopperToken(
  ctx: AccountContext,
  { token, clientId }: { token: string; clientId: string },
): Promise<void> {
  const claims = await verifyAccessToken(ctx.settings, token);
  if (typeof claims === "string") await endSessionOf(ctx, token, clientId);
  else if (claims.app?.clientId === clientId) await closeSession(ctx, { userId: claims.userId, id: claims.sessionId });
}

/** Ends the session of a used code. */
export const endShopperSession = (ctx: AccountContext, { userId, sessionId }: CodeRow["code"]): Promise<unknown> =>
  sessionId === null ? Promise.resolve() : closeSession(ctx, { userId, id: sessionId });
