import { sessionClientOf } from "../../accounts/users/account-context.ts";
import { closeSession } from "../../accounts/users/sessions/end.ts";
import { touchSession } from "../../accounts/users/sessions/sessions.ts";
import type { UserCaller } from "../../platform/auth/caller.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { authenticateUser } from "../../platform/auth/user-limiter.ts";
import { inBackground } from "../../platform/http/background.ts";
import { dropCookie, readCookie, writeCookie } from "../flash.ts";
import type { PageContext } from "../page.tsx";
import { type PanelSession, signPanelToken, verifyPanelToken } from "./token.ts";

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
