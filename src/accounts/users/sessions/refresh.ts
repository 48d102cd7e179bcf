import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { unauthorized } from "../../../domain/errors.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { isShopperScope } from "../../../platform/auth/scopes.ts";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import type { AppGrant } from "../../../platform/auth/tokens.ts";
import type { Database } from "../../../platform/db/client.ts";
import { apps, refreshTokens, sessions, users } from "../../../platform/db/schema.ts";
import { violates } from "../../../platform/db/statements.ts";
import { type AccountContext, SESSION_MS } from "../account-context.ts";
import type { SignedIn } from "../sign-in/sign-in.ts";
import { closeSession } from "./end.ts";
import { checkRefreshToken, insertRefreshToken, type NewSession, newSession, touchSession } from "./sessions.ts";

type RefreshResult = SignedIn & { app: AppGrant | undefined };

/**
 * Exchanges a refresh token for a new one of its session. Reuse of a spent token ends the session. By default the session must
 * not be an app's, because that must not become the user's own.
 */
export async function refreshSession(
  ctx: AccountContext,
  token: string,
  isFor: (stored: { clientId: string | null; app: AppGrant | undefined }) => boolean = ({ app }) => app === undefined,
): Promise<RefreshResult> {
  const { db, author, client } = ctx;
  const stored = await findRefreshToken(db, token);
  if (stored && isFor(stored)) {
    const session = {
      ...newSession(author.now, client),
      id: stored.sessionId,
      endsAt: stored.endsAt,
      authenticatedAt: stored.authenticatedAt,
    };
    const checked = checkRefreshToken(stored, author.now);
    const outcome = checked === "rotate" ? await rotateRefreshToken(ctx, { spent: token, session }) : checked;
    if (outcome === "rotated") return { user: stored.user, session, app: stored.app };
    if (outcome === "reuse") await closeSession(ctx, { userId: stored.user.id, id: stored.sessionId });
  }
  throw unauthorized("invalid_refresh_token", "The refresh token is not valid. Sign in again");
}

/** Ends the session of a refresh token of the user, or of the app. Does nothing for any other token. */
export async function endSessionOf(
  ctx: Pick<WriteContext, "env" | "db" | "author">,
  token: string,
  clientId: string | null = null,
): Promise<void> {
  const stored = await findRefreshToken(ctx.db, token);
  if (stored?.clientId === clientId) await closeSession(ctx, { userId: stored.user.id, id: stored.sessionId });
}

const findRefreshToken = async (db: Database, token: string) => {
  const row = await db
    .select({
      sessionId: refreshTokens.sessionId,
      expiresAt: refreshTokens.expiresAt,
      spentAt: refreshTokens.spentAt,
      endedAt: sessions.endedAt,
      authenticatedAt: sql<number>`ifnull(${sessions.authenticatedAt}, ${sessions.createdAt})`,
      endsAt: sql<number>`${sessions.createdAt} + ${SESSION_MS}`,
      user: getTableColumns(users),
      resource: sessions.resource,
      scopes: sessions.scopes,
      clientId: apps.clientId,
    })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(apps, eq(apps.id, sessions.appId))
    .where(eq(refreshTokens.hash, hashSecret(token)))
    .get();
  if (!row) return undefined;
  const { resource, scopes, ...stored } = row;
  return { ...stored, app: resource && scopes ? { resource, scopes: scopes.filter(isShopperScope) } : undefined };
};

/**
 * Spends a token and stores its replacement, deleting an unused earlier one. "replaced" means that the token itself was
 * replaced in the meantime, "reuse" that its replacement was already exchanged.
 */
async function rotateRefreshToken(
  ctx: Pick<WriteContext, "db">,
  { spent, session }: { spent: string; session: NewSession },
): Promise<"rotated" | "replaced" | "reuse"> {
  const { db } = ctx;
  const hash = hashSecret(spent);
  try {
    await db.batch([
      db
        .update(refreshTokens)
        .set({ spentAt: session.now })
        .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.spentAt))),
      db.delete(refreshTokens).where(and(eq(refreshTokens.parentHash, hash), isNull(refreshTokens.spentAt))),
      insertRefreshToken(ctx, { session, parentHash: hash }),
      touchSession(ctx, session),
    ]);
    return "rotated";
  } catch (error) {
    if (violates(error, "FOREIGN KEY")) return "replaced";
    if (violates(error, "refresh_tokens.parent_hash")) return "reuse";
    throw error;
  }
}
