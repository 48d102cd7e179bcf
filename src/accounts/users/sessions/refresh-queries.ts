import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/client.ts";
import { refreshTokens, sessions, users } from "../../../platform/db/schema.ts";
import { violates } from "../../../platform/db/violation.ts";
import { insertRefreshToken, type NewSession, touchSession } from "./queries.ts";
import { SESSION_MS } from "./rotation.ts";

/** A refresh token with its session and its user. */
export const findRefreshToken = (db: Database, token: string) =>
  db
    .select({
      sessionId: refreshTokens.sessionId,
      expiresAt: refreshTokens.expiresAt,
      spentAt: refreshTokens.spentAt,
      endedAt: sessions.endedAt,
      authenticatedAt: sql<number>`ifnull(${sessions.authenticatedAt}, ${sessions.createdAt})`,
      endsAt: sql<number>`${sessions.createdAt} + ${SESSION_MS}`,
      user: getTableColumns(users),
    })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(refreshTokens.hash, hashSecret(token)))
    .get();

/**
 * Spends a token and stores the one that takes its place, instead of any that did before. "replaced" says that the token is
 * itself one that was replaced meanwhile, "reuse" that the one in its place was exchanged already.
 */
export async function rotateRefreshToken(
  db: Database,
  spent: string,
  session: NewSession,
): Promise<"rotated" | "replaced" | "reuse"> {
  const hash = hashSecret(spent);
  try {
    await db.batch([
      db
        .update(refreshTokens)
        .set({ spentAt: session.now })
        .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.spentAt))),
      db.delete(refreshTokens).where(and(eq(refreshTokens.parentHash, hash), isNull(refreshTokens.spentAt))),
      insertRefreshToken(db, session, hash),
      touchSession(db, session),
    ]);
    return "rotated";
  } catch (error) {
    if (violates(error, "FOREIGN KEY")) return "replaced";
    if (violates(error, "refresh_tokens.parent_hash")) return "reuse";
    throw error;
  }
}
