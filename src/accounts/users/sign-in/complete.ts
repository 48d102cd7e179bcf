import { unauthorized } from "../../../domain/errors.ts";
import { insertEntry } from "../../../platform/audit/queries.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import type { Database } from "../../../platform/db/client.ts";
import { newSession, openSession } from "../sessions/queries.ts";
import { challengeWaits, deleteChallenge, takeChallengeAttempt } from "../two-factor/challenge-queries.ts";
import { proveFactor } from "../two-factor/prove.ts";
import { isStill } from "../two-factor/queries.ts";
import { signInEntry, signInOf } from "./audit.ts";
import type { LoginContext } from "./login-context.ts";
import { newPlaceNotice } from "./new-place-queries.ts";
import type { CompletedLogin } from "./schemas.ts";
import type { SignedIn } from "./sign-in.ts";

const invalidCode = () => unauthorized("invalid_code", "The code is wrong, or was used before");

/** Opens the session of a login whose password was right, for a code of the second factor. */
export async function completeLogin(
  env: Env,
  db: Database,
  { challenge, code }: Pick<CompletedLogin, "challenge" | "code">,
  context: LoginContext,
): Promise<SignedIn> {
  const now = Date.now();
  const factor = await takeChallengeAttempt(db, challenge, code, now);
  if (!factor || factor.user.disabledAt !== null || !context.admits(factor.user)) {
    throw unauthorized("invalid_challenge", "The login took too long or had too many wrong codes: begin it again");
  }
  const { user } = factor;
  const { isKnown } = await takeLoginAttempt(env, user.email, context.origin);
  const spend = await proveFactor(context.secrets, factor, code, now);
  if (!spend) {
    if (isStaff(user.role)) await insertEntry(db, context.author, signInOf("code_refused"), user.id);
    throw invalidCode();
  }
  const session = newSession(now, context.client, context.lifetimeMs);
  const opened = await openSession(db, user, session, {
    twoFactor: true,
    ahead: [challengeWaits(challenge), isStill(factor), spend],
    after: [
      deleteChallenge(challenge),
      ...signInEntry(context.author, user),
      ...(isKnown ? [] : [newPlaceNotice(context.secrets, user.id, session)]),
    ],
  });
  if (!opened) throw invalidCode();
  if (!isKnown) context.sendEmails();
  await loginSucceeded(env, user.email, context.origin);
  return { user, session };
}
