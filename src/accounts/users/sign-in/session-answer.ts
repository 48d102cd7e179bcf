import { signAccessToken } from "../../../platform/auth/tokens.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { type Session, toLogin } from "./schemas.ts";
import type { SignedIn } from "./sign-in.ts";

/** A session as it is answered: with its first access token. */
export async function answerOf(settings: Settings, { user, session }: SignedIn): Promise<Session> {
  const claims = { userId: user.id, sessionId: session.id, authenticatedAt: session.authenticatedAt };
  const access = await signAccessToken(settings, claims, session.now, session.endsAt);
  return toLogin(user, access, session.refreshToken);
}
