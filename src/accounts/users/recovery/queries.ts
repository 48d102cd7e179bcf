import { sql } from "drizzle-orm";
import { auditEntry } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { versionAfter } from "../../../platform/db/precondition.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { queueEmail } from "../../../platform/email/queries.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { endUnproven, isUnproven } from "../email-address/first-proof.ts";
import { endRequests } from "../email-address/queries.ts";
import { addressIsStill, type Link, linkInserts, newLink, useLink } from "../link-tokens/queries.ts";
import { usedMeanwhile } from "../link-tokens/require-link.ts";
import { endSessions } from "../sessions/end-queries.ts";
import { type NewSession, sessionInserts } from "../sessions/queries.ts";

/**
 * Writes a link for a new password and the e-mail that carries it. For an address without an account the same rows are
 * written, for nobody, so that neither the answer nor its time tells of an account.
 */
export async function insertResetLink(db: Database, secrets: Secrets, email: string, now: number): Promise<void> {
  const link = newLink("reset_password", now);
  const userId = sql`(SELECT id FROM users WHERE email = ${email} AND disabled_at IS NULL)`;
  const writes = [
    ...linkInserts(link, { userId, email: sql`(SELECT email FROM users WHERE id = ${userId})` }, now),
    queueEmail(secrets, { template: "password_reset", params: {}, userId, link }, now),
  ];
  await runAll(db, writes);
}

/** What a link for a new password is used for. It opens no session of an account with a second factor. `audited` is whom the audit log names. */
type Reset = { passwordHash: string; session: NewSession; opens: boolean; audited: Author | null };

/** Uses the link: sets the password, ends every session, opens a new one if it may, and tells the account. */
export async function writeNewPassword(
  db: Database,
  secrets: Secrets,
  link: Link,
  { passwordHash, session, opens, audited }: Reset,
): Promise<void> {
  const { id } = link.user;
  const { now, client } = session;
  const notice = { template: "password_changed", params: { at: now, ...client }, userId: id } as const;
  const entry = { action: "reset_password", subject: "user", before: null, after: { password: "changed" } } as const;
  const writes = [
    ...useLink(link, now),
    addressIsStill(link),
    ...(isUnproven(link.user) ? endUnproven(link.user, now) : endRequests(id)),
    // Whoever read the e-mail has shown that the address is theirs.
    sql`UPDATE users SET password_hash = ${passwordHash}, updated_at = ${versionAfter(now)},
      email_verified_at = coalesce(email_verified_at, ${now}) WHERE id = ${id}`,
    endSessions(id, now),
    ...(opens ? sessionInserts(db, id, session).map((insert) => insert.getSQL()) : []),
    queueEmail(secrets, notice, now),
    ...(audited ? [auditEntry(audited, entry, id)] : []),
  ];
  await translateViolations(runAll(db, writes), usedMeanwhile);
}
