import { type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { Entry } from "../../../platform/audit/entry.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { versionAfter } from "../../../platform/db/precondition.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { addressIsStill, endLinks, type Link, linkInserts, newLink, usedMeanwhile, useLink } from "../link-tokens.ts";
import { endSessions, type SessionClient } from "../sessions/sessions.ts";
import { NO_PASSWORD } from "../sign-in/passwords.ts";
import { deleteFactorSince } from "../two-factor/two-factor.ts";

const refused = () => badRequest(fieldError("email", "email_taken", "is already registered"));

/** Error for an address that belongs to another account, or that another account may still revert to. */
export const emailTaken = { "users.email": refused, email_reserved: refused };

const refusals = { ...emailTaken, ...usedMeanwhile };

/** An account whose address changes. */
type Leaving = Pick<Link["user"], "id" | "email" | "emailVerifiedAt">;

/** Statements that send a link to verify an account's address. */
export function verification(secrets: Secrets, userId: number | SQL, email: string, now: number): SQL[] {
  const link = newLink("verify_email", now);
  const sent = { template: "email_verification", params: {}, userId, link } as const;
  return [...linkInserts(link, { userId, email }, now), queueEmail(secrets, sent, now)];
}

/** Statements that store a new address and send it a link. The account keeps its current address until the link is used. */
export function requestedChange(secrets: Secrets, userId: number, email: string, now: number): SQL[] {
  const link = newLink("change_email", now);
  const sent = { template: "email_change", params: {}, userId, to: email, link } as const;
  return [
    sql`UPDATE users SET pending_email = ${email} WHERE id = ${userId}`,
    ...linkInserts(link, { userId, email }, now),
    queueEmail(secrets, sent, now),
  ];
}

/**
 * Statements that notify an account's previous address of the change, with a link to revert it. An unverified address is not
 * notified, because it may belong to a stranger, who must not get the account.
 */
function announcement(secrets: Secrets, user: Leaving, newEmail: string, client: SessionClient, now: number): SQL[] {
  if (user.emailVerifiedAt === null) return [];
  const link = newLink("revert_email", now);
  const { id: userId, email } = user;
  const params = { at: now, ...client, newEmail };
  return [
    ...linkInserts(link, { userId, email }, now),
    queueEmail(secrets, { template: "email_changed", params, userId, to: email, link }, now),
  ];
}

/** Statements that cancel pending requests for a new password or address, which may be an intruder's. */
export const endRequests = (userId: number): SQL[] => [
  endLinks(userId, "reset_password"),
  endLinks(userId, "change_email"),
  endLinks(userId, "approve_email"),
  sql`UPDATE users SET pending_email = NULL WHERE id = ${userId}`,
];

/** Statements that ask an account's current address to approve a new one. */
export function proposedChange(secrets: Secrets, userId: number, newEmail: string, now: number): SQL[] {
  const link = newLink("approve_email", now);
  const sent = { template: "email_proposed", params: { newEmail }, userId, link } as const;
  return [...linkInserts(link, { userId, email: newEmail }, now), queueEmail(secrets, sent, now)];
}

/** Statements after a change to an unconfirmed address: the new address has to be verified, and the old one is notified. */
export const movedAddress = (
  secrets: Secrets,
  user: Leaving,
  newEmail: string,
  client: SessionClient,
  now: number,
): SQL[] => [
  ...announcement(secrets, user, newEmail, client, now),
  ...verification(secrets, user.id, newEmail, now),
  ...endRequests(user.id),
  sql`UPDATE users SET formerly_verified_at = coalesce(email_verified_at, formerly_verified_at), email_verified_at = NULL
    WHERE id = ${user.id}`,
];

/** Uses the link by which the current address of an account approves a new one proposed by the shop. */
export function approveAddress(
  db: Database,
  secrets: Secrets,
  { user, address, ...link }: Link,
  client: SessionClient,
  author: Author,
): Promise<void> {
  const { now } = author;
  return translateViolations(
    runAll(db, [
      ...useLink(link, now),
      addressIsStill({ user, address: user.email }),
      sql`UPDATE users SET email = ${address}, updated_at = ${versionAfter(now)} WHERE id = ${user.id}`,
      ...movedAddress(secrets, user, address, client, now),
      auditEntry({ author: { ...author, actor: `user:${user.id}` } }, movedTo(user, address)),
    ]),
    refusals,
  );
}

/** Uses the link sent after sign-up. `ends` are statements that reset what an unknown person may have set. */
export const verifyAddress = (db: Database, link: Link, ends: SQL[], now: number): Promise<void> =>
  translateViolations(
    runAll(db, [
      ...useLink(link, now),
      addressIsStill(link),
      ...ends,
      sql`UPDATE users SET email_verified_at = coalesce(email_verified_at, ${now}) WHERE id = ${link.user.id}`,
    ]),
    refusals,
  );

/** Statements that send a link to set a new password. */
export function passwordLink(secrets: Secrets, userId: number, email: string, now: number): SQL[] {
  const link = newLink("reset_password", now);
  const sent = { template: "password_reset", params: {}, userId, link } as const;
  return [...linkInserts(link, { userId, email }, now), queueEmail(secrets, sent, now)];
}

/** Uses the link sent to a new address, which becomes the account's. A verified old address is notified. */
export function confirmAddress(
  db: Database,
  secrets: Secrets,
  { user, address, ...link }: Link,
  ends: SQL[],
  client: SessionClient,
  author: Author,
): Promise<void> {
  const { now } = author;
  return translateViolations(
    runAll(db, [
      ...useLink(link, now),
      addressIsStill({ user, address: user.email }),
      ...announcement(secrets, user, address, client, now),
      sql`UPDATE users SET email = ${address}, pending_email = NULL, email_verified_at = ${now},
        updated_at = ${versionAfter(now)} WHERE id = ${user.id}`,
      endLinks(user.id, "verify_email"),
      endLinks(user.id, "reset_password"),
      endLinks(user.id, "approve_email"),
      ...ends,
      ...auditedIfStaff(author, user, address),
    ]),
    refusals,
  );
}

/** Audits an address change of a staff account. */
const auditedIfStaff = (author: Author, user: Link["user"], address: string): SQL[] =>
  isStaff(user.role) ? [auditEntry({ author: { ...author, actor: `user:${user.id}` } }, movedTo(user, address))] : [];

const movedTo = ({ id, email }: Leaving, address: string): Entry => ({
  action: "update",
  subject: "user",
  id,
  before: { email },
  after: { email: address },
});

/**
 * Uses the link sent to an account's previous address and restores that address. Whoever took the account knew its password
 * and may be signed in, so the password and all sessions end, and the address gets a link to set a new password.
 */
export function revertAddress(db: Database, secrets: Secrets, { user, address, ...link }: Link, author: Author) {
  const { now } = author;
  const userId = user.id;
  return translateViolations(
    runAll(db, [
      ...useLink(link, now),
      // Any addresses set since then are the intruder's.
      sql`DELETE FROM link_tokens WHERE user_id = ${userId} AND (purpose <> 'revert_email' OR created_at >= ${link.createdAt})`,
      // An erasure requested by an intruder was announced only to the intruder's own address, so it is undone.
      sql`UPDATE users SET email = ${address}, pending_email = NULL, email_verified_at = ${now}, erase_at = NULL,
        password_hash = ${NO_PASSWORD}, updated_at = ${versionAfter(now)} WHERE id = ${userId}`,
      endSessions(userId, now),
      ...deleteFactorSince(userId, link.createdAt),
      ...passwordLink(secrets, userId, address, now),
      ...auditedIfStaff(author, user, address),
    ]),
    refusals,
  );
}
