import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../../../platform/audit/audit.ts";
import { resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import { forgetUser } from "../../../platform/auth/user-limiter.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { staffInvitations, users } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import {
  insertSelected,
  precondition,
  translateViolations,
  updateRows,
  versionAfter,
} from "../../../platform/db/statements.ts";
import type { AccountContext } from "../account-context.ts";
import { erasureRefusals } from "../admin.ts";
import { addressIsStill, endEveryLink, linkEnded, usedMeanwhile } from "../email-address/link-tokens.ts";
import { endUnproven, isUnproven } from "../email-address/links.ts";
import { endSessions, newSession, sessionInserts } from "../sessions/sessions.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { requirePassword, type SignedIn } from "../sign-in/sign-in.ts";
import { findUserByEmail, type UserRow } from "../users.ts";
import type { NewStaffAccount, ProvenStaffAccount } from "./schemas.ts";

/** An invitation with a valid link, and the account of its address if there is one. */
export type OpenedInvitation = {
  hash: string;
  email: string;
  role: UserRow["role"];
  isSent: boolean;
  account: UserRow | null;
};

/** Finds the invitation of a valid link. */
export async function findInvitation(db: Database, token: string, now: number): Promise<OpenedInvitation | null> {
  const { hash, email, role, isSent, expiresAt } = staffInvitations;
  const found = await db
    .select({ hash, email, role, isSent })
    .from(staffInvitations)
    .where(and(eq(hash, hashSecret(token)), gt(expiresAt, now)))
    .get();
  return found ? { ...found, account: (await findUserByEmail(db, found.email)) ?? null } : null;
}

export async function requireOpened(db: Database, token: string, now: number): Promise<OpenedInvitation> {
  const invitation = await findInvitation(db, token, now);
  if (!invitation) throw linkEnded();
  return invitation;
}

/**
 * True if the person has to enter the existing account's password. Reading an e-mail proves ownership of an account
 * whose address was never verified. A link that was handed over proves nothing, so that the inviter cannot take over an
 * account with it.
 */
export const needsPassword = ({ account, isSent }: OpenedInvitation): boolean =>
  account !== null && !(isSent && isUnproven(account));

/** The first statements of an acceptance. They refuse it if the invitation was used, resent or revoked in the meantime. */
const useInvitation = ({ hash }: OpenedInvitation, now: number): SQL[] => [
  precondition(sql`EXISTS (
    SELECT 1 FROM ${staffInvitations} WHERE ${staffInvitations.hash} = ${hash} AND ${staffInvitations.expiresAt} > ${now})`),
  sql`DELETE FROM ${staffInvitations} WHERE ${staffInvitations.hash} = ${hash}`,
];

const refusals = { ...usedMeanwhile, ...erasureRefusals, "users.email": linkEnded, email_reserved: linkEnded };

const accepted = (ctx: Pick<AccountContext, "author">, id: number | SQL, { role }: OpenedInvitation): SQL =>
  auditEntry(ctx, { action: "accept_invitation", subject: "user", id, after: { role } });

/**
 * Accepts an invitation with a new password and opens the first session. If nobody proved to own the address's account,
 * its owner takes it over, and all other ways to sign in are removed.
 */
export async function acceptAsNew(
  ctx: AccountContext,
  invitation: OpenedInvitation,
  { name, password, lifetimeMs }: Omit<NewStaffAccount, "token"> & { lifetimeMs: number },
): Promise<SignedIn> {
  const { env, db, author, client } = ctx;
  const { now } = author;
  const { email, role, account } = invitation;
  const named = { name, foldedWords: foldedWords(searchedTexts.users({ name })) };
  const given = { ...named, passwordHash: await hashPassword(password), role, emailVerifiedAt: now };
  const id = sql`(SELECT id FROM users WHERE email = ${email})`;
  const session = newSession(now, client, lifetimeMs);
  const writes = [
    ...useInvitation(invitation, now),
    ...(account
      ? [
          addressIsStill({ user: account, address: email }),
          ...endUnproven(ctx, account),
          updateRows(users, { emailVerifiedAt: now }, eq(users.id, account.id)),
          updateRows(users, { ...given, updatedAt: versionAfter(now) }, eq(users.id, account.id)),
        ]
      : [insertSelected(users, { email, ...given, createdAt: now, updatedAt: now })]),
    ...sessionInserts(ctx, { userId: id, session }).map((insert) => insert.getSQL()),
    accepted(ctx, id, invitation),
  ];
  await translateViolations(runAll(db, writes), refusals);
  const user = await findUserByEmail(db, email);
  if (!user) throw linkEnded();
  await Promise.all([forgetUser(env, user.id), resetLogins(env, email, null)]);
  return { user, session };
}

/** Accepts an invitation for an existing account with its password. The account's customer sessions and links end. */
export async function acceptAsOwner(
  ctx: AccountContext,
  invitation: OpenedInvitation,
  { password }: Omit<ProvenStaffAccount, "token">,
): Promise<void> {
  const { env, db, author } = ctx;
  const { now } = author;
  const { account, role, email } = invitation;
  if (account === null) throw linkEnded();
  await requirePassword(ctx, { user: account, password, field: "password" });
  const { id, passwordHash } = account;
  const byOwner = { author: { ...author, actor: `user:${id}` } };
  const verified = { emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now})` };
  const writes = [
    ...useInvitation(invitation, now),
    addressIsStill({ user: account, address: email }),
    precondition(
      sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id} AND ${users.passwordHash} = ${passwordHash})`,
    ),
    updateRows(users, verified, eq(users.id, id)),
    updateRows(users, { role, updatedAt: versionAfter(now) }, eq(users.id, id)),
    endSessions(ctx, id),
    ...endEveryLink(id),
    accepted(byOwner, id, invitation),
  ];
  await translateViolations(runAll(db, writes), refusals);
  await forgetUser(env, id);
}
