import {
  type AccountContext,
  closeSession,
  endSessionOf,
  insertRefreshToken,
  type NewSession,
  newSession,
  refreshSession,
  touchSession,
} from "../../accounts/users/public.ts";
import { ApiError } from "../../domain/errors.ts";
import { isShopperScope } from "../../platform/auth/scopes.ts";
import { type AppGrant, signAccessToken, verifyAccessToken } from "../../platform/auth/tokens.ts";
import type { TokenResource } from "../../platform/db/schema.ts";
import { type CodeRow, spendAppCode } from "./codes.ts";
import { authorizationEnded, requireResource } from "./errors.ts";
import type { Tokens } from "./installation-tokens.ts";

// Tokens of an app that acts for a shopper: a session of the account, limited to the scopes that the shopper agreed to.

/** Exchanges a code for the tokens of its session. Null for a used code. */
export async function exchangeShopperCode(ctx: AccountContext, { code, clientId }: CodeRow): Promise<Tokens | null> {
  const { sessionId: id, userId, createdAt: authenticatedAt, resource, scopes } = code;
  const session = { ...newSession(ctx.author.now, ctx.client), id, authenticatedAt };
  const writes = [insertRefreshToken(ctx, { session }), touchSession(ctx, session)];
  const isNew = await spendAppCode(
    ctx,
    code,
    writes.map((write) => write.getSQL()),
  );
  const app = { resource, scopes: scopes.filter(isShopperScope), clientId };
  return isNew ? tokensOf(ctx, { userId, session, app }) : null;
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

/** Exchanges the refresh token of an app's session. */
export async function refreshShopper(
  ctx: AccountContext,
  { token, clientId, resource }: { token: string; clientId: string; resource: TokenResource | undefined },
): Promise<Tokens> {
  const { user, session, app } = await refreshSession(ctx, token, (stored) => {
    if (!stored.app || stored.clientId !== clientId) return false;
    requireResource(stored.app.resource, resource);
    return true;
  }).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === "invalid_refresh_token" ? authorizationEnded() : error;
  });
  if (!app) throw authorizationEnded();
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
