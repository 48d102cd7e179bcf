import type { SQL } from "drizzle-orm";
import type { Author } from "../../../platform/auth/author.ts";
import { resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { requirePassword } from "../confirm-password.ts";
import type { Link } from "../link-tokens/queries.ts";
import { requireLink } from "../link-tokens/require-link.ts";
import type { SessionClient } from "../sessions/client.ts";
import { endUnproven, isUnproven } from "./first-proof.ts";
import { approveAddress, confirmAddress, passwordLink, revertAddress, verifyAddress } from "./queries.ts";
import type { Verified, VerifyEmail } from "./schemas.ts";

/** The opener of a link. Password attempts count against `origin`. */
export type Opening = {
  env: Env;
  db: Database;
  settings: Settings;
  author: Author;
  client: SessionClient;
  origin: string | null;
};

/** `holder` is the user whose token was sent. */
type Verifying = Opening & { holder: number | null };

/** What became of the account: its address, since when that is verified, and whether its password ended. */
/**
 * Uses a link that verifies the address of an account, confirms a new one, or approves one that the shop proposed. The first
 * proof by somebody who is not known to hold the account ends all that was set before, the password too.
 */
export async function verifyEmail(verifying: Verifying, { token, password }: VerifyEmail): Promise<Verified> {
  const { env, db, settings, author, client } = verifying;
  const link = await requireLink(db, token, ["verify_email", "change_email", "approve_email"], author.now);
  const { user, address: email } = link;
  if (link.purpose === "approve_email") {
    await approveAddress(db, settings.linkSecrets, link, client, author);
    return { email, verifiedAt: null, newPasswordNeeded: false };
  }
  const isHolder = await holdsAccount(verifying, link, password);
  const newPasswordNeeded = !isHolder && isUnproven(user);
  const ends: SQL[] = newPasswordNeeded
    ? [
        ...endUnproven({ ...user, email }, author.now),
        ...passwordLink(settings.linkSecrets, user.id, email, author.now),
      ]
    : [];
  if (link.purpose === "verify_email") await verifyAddress(db, link, ends, author.now);
  else await confirmAddress(db, settings.linkSecrets, link, ends, client, author);
  if (newPasswordNeeded) await Promise.all([forgetUser(env, user.id), resetLogins(env, email, null)]);
  return { email, verifiedAt: author.now, newPasswordNeeded };
}

/** Whether whoever opens a link shows the password of the account that it is about, or a token that was issued for it. */
async function holdsAccount({ holder, ...trying }: Verifying, { user }: Link, password: string | undefined) {
  if (password === undefined) return holder === user.id;
  await requirePassword(trying, user, password, "password");
  return true;
}

/** Gives an account the address back that it had before it was changed. */
export async function revertEmail({ env, db, settings, author }: Opening, token: string): Promise<void> {
  const link = await requireLink(db, token, ["revert_email"], author.now);
  await revertAddress(db, settings.linkSecrets, link, author);
  await forgetUser(env, link.user.id);
}
