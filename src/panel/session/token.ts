import { type AccessClaims, signToken, verifyToken } from "../../platform/auth/tokens.ts";
import type { Settings } from "../../platform/settings/settings.ts";

// The cookie's token has its own audience: the API and the panel do not accept each other's tokens.

const AUDIENCE = "storefront-panel";

/** At most as long as ended sessions are stored: ACCESS_TOKEN_MS. */
const TOKEN_S = 60 * 60;
const RENEW_AFTER_S = 10 * 60;
export const SESSION_S = 12 * 60 * 60;

/** The panel's session: user, sign-in time, and the token's age. Epoch seconds. */
export type PanelSession = AccessClaims & { signedInAt: number; issuedAt: number };

export const beginSession = (claims: AccessClaims, nowMs: number): PanelSession => {
  const now = Math.floor(nowMs / 1000);
  return { ...claims, signedInAt: now, issuedAt: now };
};

/** The session with a renewed token if its token is old enough, otherwise null. */
export function renewed(session: PanelSession, nowMs: number): PanelSession | null {
  const now = Math.floor(nowMs / 1000);
  return now - session.issuedAt > RENEW_AFTER_S ? { ...session, issuedAt: now } : null;
}

/** The token and its lifetime in seconds. */
export async function signPanelToken(settings: Settings, session: PanelSession) {
  const { issuedAt, signedInAt } = session;
  const expiresAt = Math.min(issuedAt + TOKEN_S, signedInAt + SESSION_S);
  const token = await signToken(settings, AUDIENCE, session, { issuedAt, expiresAt }, { signed_in_at: signedInAt });
  return { token, seconds: expiresAt - issuedAt };
}

export async function verifyPanelToken(settings: Settings, token: string): Promise<PanelSession | null> {
  const verified = await verifyToken(settings, AUDIENCE, token);
  if (typeof verified === "string") return null;
  const { signed_in_at: signedInAt, iat: issuedAt } = verified.payload;
  if (typeof signedInAt !== "number" || issuedAt === undefined) return null;
  const { userId, sessionId, authenticatedAt } = verified;
  return { userId, sessionId, authenticatedAt, signedInAt, issuedAt };
}
