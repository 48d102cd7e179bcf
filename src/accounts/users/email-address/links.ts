import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { notFound } from "../../../domain/errors.ts";
import { isoOrNull, Timestamp } from "../../../domain/fields.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { limitAccount } from "../../../platform/auth/gates.ts";
import { resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import type { Secrets, Settings } from "../../../platform/settings/settings.ts";
import { requirePassword } from "../confirm-password.ts";
import { endEveryLink, type Link, LinkToken, requireLink } from "../link-tokens.ts";
import { endSessions, type SessionClient } from "../sessions/sessions.ts";
import { NO_PASSWORD } from "../sign-in/passwords.ts";
import { deleteFactor } from "../two-factor/two-factor.ts";
import { findUser } from "../users.ts";
import {
  approveAddress,
  confirmAddress,
  passwordLink,
  requestedChange,
  revertAddress,
  verification,
  verifyAddress,
} from "./email-address.ts";

/** The person opening a link. Password attempts count against `origin`. */
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

/**
 * Uses a link that verifies an account's address, confirms a new one, or approves one that the shop proposed. The first
 * verification by somebody not known to hold the account resets everything set before, including the password.
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

/** Returns true if the person opening a link sends the account's password or a token issued for the account. */
async function holdsAccount({ holder, ...trying }: Verifying, { user }: Link, password: string | undefined) {
  if (password === undefined) return holder === user.id;
  await requirePassword(trying, user, password, "password");
  return true;
}

/** Restores the address that an account had before a change. */
export async function revertEmail({ env, db, settings, author }: Opening, token: string): Promise<void> {
  const link = await requireLink(db, token, ["revert_email"], author.now);
  await revertAddress(db, settings.linkSecrets, link, author);
  await forgetUser(env, link.user.id);
}

type Account = Pick<Link["user"], "id" | "email" | "passwordHash" | "emailVerifiedAt" | "formerlyVerifiedAt">;

/** Returns true if anybody may have opened the account, because none of its addresses was ever verified. */
export const isUnproven = ({ emailVerifiedAt, formerlyVerifiedAt }: Account): boolean =>
  emailVerifiedAt === null && formerlyVerifiedAt === null;

/**
 * Statements that reset what an unknown person may have set before the address was verified: every way to sign in, and any
 * data left for the owner to use. Orders, packages and the wallet stay for the shop's records. An imported account, which
 * never had a password, keeps the owner's data from the shop.
 */
export const endUnproven = ({ id, email, passwordHash }: Account, now: number): SQL[] => [
  endSessions(id, now),
  ...deleteFactor(id),
  ...endEveryLink(id),
  sql`DELETE FROM login_challenges WHERE user_id = ${id}`,
  sql`DELETE FROM addresses WHERE user_id = ${id}`,
  sql`DELETE FROM carts WHERE user_id = ${id}`,
  ...(passwordHash === NO_PASSWORD
    ? []
    : [
        sql`UPDATE users SET name = ${email.slice(0, email.lastIndexOf("@"))}, folded_words = NULL, phone = NULL, company = NULL,
          accepts_marketing = 0, metadata = '{}', password_hash = ${NO_PASSWORD} WHERE id = ${id}`,
      ]),
];

/** Resends the link that the account is waiting for and returns its recipient, or null if there is none. */
export async function resendLink(
  env: Env,
  db: Database,
  secrets: Secrets,
  userId: number,
  now: number,
): Promise<string | null> {
  const user = await findUser(db, userId);
  if (!user) throw notFound("The account");
  const { email, emailVerifiedAt, pendingEmail } = user;
  const to = pendingEmail ?? (emailVerifiedAt === null ? email : null);
  if (to === null) return null;
  await limitAccount({ env }, "recovery", to);
  await runAll(db, (pendingEmail === null ? verification : requestedChange)(secrets, userId, to, now));
  return to;
}

export const LinkTokenBody = z.strictObject({ token: LinkToken }).meta({ id: "LinkToken" });

export const VerifyEmail = z
  .strictObject({
    token: LinkToken,
    password: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("Password of the account. Not needed with a user token of the account, even an expired one"),
  })
  .meta({ id: "VerifyEmail" });
export type VerifyEmail = z.output<typeof VerifyEmail>;

export const VerifiedEmail = z
  .object({
    email: z.string(),
    email_verified_at: Timestamp.nullable().describe(
      "When the address was verified. Null if the link approved a proposed address, which is then sent a link to verify it",
    ),
    new_password_needed: z
      .boolean()
      .describe(
        "True if the link was opened without the account's token or password, and the address was the first to be verified. The password, sessions and personal details set before have ended, and a link to choose a new password was sent",
      ),
  })
  .meta({ id: "VerifiedEmail" });

/** Result of using a link: the address, when it was verified, and true if a new password must be chosen. */
type Verified = { email: string; verifiedAt: number | null; newPasswordNeeded: boolean };

export const toVerifiedEmail = ({
  email,
  verifiedAt,
  newPasswordNeeded,
}: Verified): z.output<typeof VerifiedEmail> => ({
  email,
  email_verified_at: isoOrNull(verifiedAt),
  new_password_needed: newPasswordNeeded,
});
