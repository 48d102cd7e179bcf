import type { UserCaller } from "../../auth/caller.ts";
import { authenticateUser } from "../../auth/users/limiter.ts";
import type { PageContext } from "../env.ts";
import { dropCookie, readCookie, writeCookie } from "./cookie.ts";
import { type PanelSession, signPanelToken, verifyPanelToken } from "./token.ts";

const COOKIE = "panel";

/** The session whose cookie came with the request; whether it still holds is for `administratorOf` to say. */
export async function readSession(c: PageContext): Promise<PanelSession | null> {
  const token = readCookie(c, COOKIE);
  return token === undefined ? null : verifyPanelToken(c.var.settings, token);
}

export async function writeSession(c: PageContext, session: PanelSession): Promise<void> {
  const { token, seconds } = await signPanelToken(c.var.settings, session);
  writeCookie(c, COOKIE, token, seconds);
}

export const dropSession = (c: PageContext): void => {
  if (readCookie(c, COOKIE) !== undefined) dropCookie(c, COOKIE);
};

/** Who is signed in, while the account is good, the session goes on and the role is still an administrator's. */
export async function administratorOf(env: Env, session: PanelSession): Promise<UserCaller | null> {
  const verification = await authenticateUser(env, session);
  return verification.valid && verification.caller.role === "admin" ? verification.caller : null;
}
