import { sessionClientOf } from "../../accounts/users/account-context.ts";
import { closeSession } from "../../accounts/users/sessions/end.ts";
import { touchSession } from "../../accounts/users/sessions/sessions.ts";
import type { UserCaller } from "../../platform/auth/caller.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { type AccessClaims, signToken, verifyToken } from "../../platform/auth/tokens.ts";
import { authenticateUser } from "../../platform/auth/users/limiter.ts";
import { inBackground } from "../../platform/http/background.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import type { PageContext } from "../env.ts";
import { dropCookie, readCookie, writeCookie } from "../flash.ts";

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

async function verifyPanelToken(settings: Settings, token: string): Promise<PanelSession | null> {
  const verified = await verifyToken(settings, AUDIENCE, token);
  if (typeof verified === "string") return null;
  const { signed_in_at: signedInAt, iat: issuedAt } = verified.payload;
  if (typeof signedInAt !== "number" || issuedAt === undefined) return null;
  const { userId, sessionId, authenticatedAt } = verified;
  return { userId, sessionId, authenticatedAt, signedInAt, issuedAt };
}

const COOKIE = "panel";

/** The session in the request's cookie. `staffOf` checks that it is still valid. */
export async function readSession(c: PageContext): Promise<PanelSession | null> {
  const token = readCookie(c, COOKIE);
  return token === undefined ? null : verifyPanelToken(c.var.settings, token);
}

export async function writeSession(c: PageContext, session: PanelSession): Promise<void> {
  const { token, seconds } = await signPanelToken(c.var.settings, session);
  writeCookie(c, COOKIE, token, seconds);
}

/** Extends the cookie and records the session's use after the response, whenever the cookie is renewed. */
export async function continueSession(c: PageContext, session: PanelSession): Promise<void> {
  const use = { id: session.sessionId, now: Date.now(), client: sessionClientOf(c) };
  inBackground(c, "write when a session was used", touchSession(c.var, use).execute());
  await writeSession(c, session);
}

export const dropSession = (c: PageContext): void => {
  if (readCookie(c, COOKIE) !== undefined) dropCookie(c, COOKIE);
};

export const signOut = (c: PageContext, { userId, sessionId }: PanelSession): Promise<boolean> =>
  closeSession({ env: c.env, db: c.var.db, author: { now: Date.now() } }, { userId, id: sessionId });

/** The signed-in member of staff, if the account is enabled, the session valid and the role still staff. */
export async function staffOf(env: Env, session: PanelSession): Promise<UserCaller | null> {
  const verification = await authenticateUser(env, session);
  return verification.valid && isStaff(verification.caller.role) ? verification.caller : null;
}

/**
 * Counts the address of a form that anyone may send, before reading it. The result refuses the form once its page can show
 * the error.
 */
export async function countSender(c: PageContext): Promise<() => void> {
  const refusal = await limitAddress(c, "sign-in").then(
    () => null,
    (error: unknown) => error,
  );
  return () => {
    if (refusal !== null) throw refusal;
  };
}
