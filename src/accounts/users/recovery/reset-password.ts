import type { Author } from "../../../platform/auth/author.ts";
import { loginSucceeded, resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { isUnproven } from "../email-address/first-proof.ts";
import { linkEnded, requireLink } from "../link-tokens/require-link.ts";
import { findUser } from "../queries.ts";
import { newSession } from "../sessions/queries.ts";
import type { LoginContext } from "../sign-in/login-context.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import type { SignedIn } from "../sign-in/sign-in.ts";
import { insertChallenge, type LoginChallenge } from "../two-factor/challenge-queries.ts";
import { findStatus } from "../two-factor/queries.ts";
import { writeNewPassword } from "./queries.ts";
import type { ResetPassword } from "./schemas.ts";

type Resetting = { env: Env; db: Database; settings: Settings };

/** Sets the password that the link of an e-mail was sent for, and signs its owner in, or asks for a code of the second factor. */
export async function resetPassword(
  { env, db, settings }: Resetting,
  { token, password }: ResetPassword,
  { origin, author, client, admits }: LoginContext,
): Promise<SignedIn | LoginChallenge> {
  const link = await requireLink(db, token, ["reset_password"], author.now);
  const { user } = link;
  if (!admits(user)) throw linkEnded();
  const passwordHash = await hashPassword(password);
  const session = newSession(author.now, client);
  const audited: Author | null = isStaff(user.role) ? { ...author, actor: `user:${user.id}` } : null;
  const { enabledAt } = await findStatus(db, user.id);
  const opens = enabledAt === null || isUnproven(user);
  await writeNewPassword(db, settings.linkSecrets, link, { passwordHash, session, opens, audited });
  await forgetUser(env, user.id);
  if (!opens) return insertChallenge(db, { id: user.id, passwordHash }, undefined, author.now);
  await (isUnproven(user) ? resetLogins : loginSucceeded)(env, user.email, origin);
  return { user: (await findUser(db, user.id)) ?? user, session };
}
