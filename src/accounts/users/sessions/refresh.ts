import { unauthorized } from "../../../domain/errors.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { SignedIn } from "../sign-in/sign-in.ts";
import type { SessionClient } from "./client.ts";
import { closeSession } from "./end.ts";
import { newSession } from "./queries.ts";
import { findRefreshToken, rotateRefreshToken } from "./refresh-queries.ts";
import { checkRefreshToken } from "./rotation.ts";

/** Exchanges a refresh token for a new one of the same session. One that was spent before ends the session. */
export async function refreshSession(env: Env, db: Database, token: string, client: SessionClient): Promise<SignedIn> {
  const stored = await findRefreshToken(db, token);
  if (stored) {
    const now = Date.now();
    const session = {
      ...newSession(now, client),
      id: stored.sessionId,
      endsAt: stored.endsAt,
      authenticatedAt: stored.authenticatedAt,
    };
    const checked = checkRefreshToken(stored, now);
    const outcome = checked === "rotate" ? await rotateRefreshToken(db, token, session) : checked;
    if (outcome === "rotated") return { user: stored.user, session };
    if (outcome === "reuse") await closeSession(env, db, stored.user.id, stored.sessionId);
  }
  throw unauthorized("invalid_refresh_token", "The refresh token is not valid: log in again");
}

/** Ends the session a refresh token belongs to. A token that is not known has none, which is what was wanted. */
export async function endSessionOf(env: Env, db: Database, token: string): Promise<void> {
  const stored = await findRefreshToken(db, token);
  if (stored) await closeSession(env, db, stored.user.id, stored.sessionId);
}
