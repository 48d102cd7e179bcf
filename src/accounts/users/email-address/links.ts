import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { requireFound } from "../../../domain/errors.ts";
import { isoOrNull, Timestamp } from "../../../domain/fields.ts";
import type { SettingsContext, UserCaller, WriteContext } from "../../../platform/auth/caller.ts";
import { limitAccount } from "../../../platform/auth/gates.ts";
import { resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { forgetUser } from "../../../platform/auth/user-limiter.ts";
import { runAll } from "../../../platform/db/client.ts";
import { addresses, carts, loginChallenges, type Role, users } from "../../../platform/db/schema.ts";
import { updateRows } from "../../../platform/db/statements.ts";
import type { AccountContext } from "../account-context.ts";
import { endSessions } from "../sessions/sessions.ts";
import { NO_PASSWORD } from "../sign-in/passwords.ts";
import { requirePassword } from "../sign-in/sign-in.ts";
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
import { type AccountLink, endEveryLink, LinkToken, requireLink } from "./link-tokens.ts";

/**
 * Uses a link that verifies an account's address, confirms a new one, or approves one that the shop proposed. The first
 * verification by somebody not known to hold the account resets everything set before, including the password. `holder` is
 * the user whose token was sent.
 */
export async function verifyEmail(
  ctx: AccountContext,
  { token, ...proof }: VerifyEmail & { holder: number | null },
): Promise<VerifiedAddress> {
  const { env, db, author } = ctx;
  const link = await requireLink(db, token, ["verify_email", "change_email", "approve_email"], author.now);
  const { user, address: email } = link;
  if (link.purpose === "approve_email") {
    await approveAddress(ctx, link);
    return { email, role: user.role, verifiedAt: null, newPasswordNeeded: false };
  }
  const isHolder = await holdsAccount(ctx, { user, ...proof });
  const newPasswordNeeded = !isHolder && isUnproven(user);
  const ends: SQL[] = newPasswordNeeded
    ? [...endUnproven(ctx, { ...user, email }), ...passwordLink(ctx, { userId: user.id, email })]
    : [];
  if (link.purpose === "verify_email") await verifyAddress(ctx, { link, ends });
  else await confirmAddress(ctx, { link, ends });
  if (newPasswordNeeded) await Promise.all([forgetUser(env, user.id), resetLogins(env, email, null)]);
  return { email, role: user.role, verifiedAt: author.now, newPasswordNeeded };
}

/** Returns true if the request has the account's password or a token issued for the account. */
async function holdsAccount(
  ctx: AccountContext,
  { user, holder, password }: Pick<AccountLink, "user"> & { holder: number | null; password?: string | undefined },
) {
  if (password === undefined) return holder === user.id;
  await requirePassword(ctx, { user, password, field: "password" });
  return true;
}

/** Restores the address that an account had before a change. */
export async function revertEmail(ctx: SettingsContext, token: string): Promise<void> {
  const link = await requireLink(ctx.db, token, ["revert_email"], ctx.author.now);
  await revertAddress(ctx, link);
  await forgetUser(ctx.env, link.user.id);
}

type Account = Pick<AccountLink["user"], "id" | "email" | "passwordHash" | "emailVerifiedAt" | "formerlyVerifiedAt">;

/** Returns true if anybody may have opened the account, because none of its addresses was ever verified. */
export const isUnproven = ({ emailVerifiedAt, formerlyVerifiedAt }: Account): boolean =>
  emailVerifiedAt === null && formerlyVerifiedAt === null;

/**
 * Statements that reset what an unknown person may have set before the address was verified: every way to sign in, and any
 * data left for the owner to use. Orders, packages and the wallet stay for the shop's records. An imported account, which
 * never had a password, keeps the owner's data from the shop.
 */
export const endUnproven = (ctx: Pick<WriteContext, "author">, { id, email, passwordHash }: Account): SQL[] => [
  endSessions(ctx, id),
  ...deleteFactor(id),
  ...endEveryLink(id),
  sql`DELETE FROM ${loginChallenges} WHERE ${eq(loginChallenges.userId, id)}`,
  sql`DELETE FROM ${addresses} WHERE ${eq(addresses.userId, id)}`,
  sql`DELETE FROM ${carts} WHERE ${eq(carts.userId, id)}`,
  ...(passwordHash === NO_PASSWORD ? [] : [updateRows(users, unnamed(email), eq(users.id, id))]),
];

/** A new account's data, without any details that somebody set. */
const unnamed = (email: string) => ({
  name: email.slice(0, email.lastIndexOf("@")),
  foldedWords: null,
  phone: null,
  company: null,
  acceptsMarketing: false,
  metadata: {},
  passwordHash: NO_PASSWORD,
});

/** Resends the link that the account is waiting for and returns its recipient, or null if there is none. */
export async function resendLink(ctx: WriteContext<UserCaller>): Promise<string | null> {
  const { env, db, caller } = ctx;
  const user = await requireFound(findUser(db, caller.id), "The account");
  const { email, emailVerifiedAt, pendingEmail } = user;
  const to = pendingEmail ?? (emailVerifiedAt === null ? email : null);
  if (to === null) return null;
  await limitAccount({ env }, "recovery", to);
  await runAll(db, (pendingEmail === null ? verification : requestedChange)(ctx, { userId: caller.id, email: to }));
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
  .meta({ id: "VerifyEmailRequest" });
export type VerifyEmail = z.output<typeof VerifyEmail>;

export const VerifiedEmail = z
  .object({
    email: z.string(),
    email_verified_at: Timestamp.nullable().describe(
      "When the address was verified. Null if the link approved a proposed address, which then receives a link to verify it",
    ),
    new_password_needed: z
      .boolean()
      .describe(
        "True if the link was opened without the account's token or password, and the address was the first to be verified. The password, sessions and personal details set before have ended, and a link to choose a new password was sent",
      ),
  })
  .meta({ id: "VerifiedEmail" });

/** Result of using a link: the address, the account's role, when it was verified, and true if a new password must be chosen. */
type VerifiedAddress = { email: string; role: Role; verifiedAt: number | null; newPasswordNeeded: boolean };

export const toVerifiedEmail = ({
  email,
  verifiedAt,
  newPasswordNeeded,
}: Omit<VerifiedAddress, "role">): z.output<typeof VerifiedEmail> => ({
  email,
  email_verified_at: isoOrNull(verifiedAt),
  new_password_needed: newPasswordNeeded,
});
