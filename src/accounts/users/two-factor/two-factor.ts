import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type ApiError, badRequest, conflict, fieldError } from "../../../domain/errors.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { Author } from "../../../platform/auth/author.ts";
import type { UserCaller } from "../../../platform/auth/caller.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { isSealedUnderOlder } from "../../../platform/auth/seal.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { totpSecrets, users } from "../../../platform/db/schema.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import { isFree } from "../../../platform/queues/failed-items.ts";
import { workOff } from "../../../platform/queues/work-off.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import type { OwnRequest } from "../own-request.ts";
import { endSessions } from "../sessions/sessions.ts";
import { sealTotp, unsealTotp } from "./codes.ts";

type FactorUser = Pick<typeof users.$inferSelect, "id" | "email" | "name" | "role" | "passwordHash" | "disabledAt">;

/** The second factor of an account, and whether a recovery code of it is still good. */
export type Factor = typeof totpSecrets.$inferSelect & { user: FactorUser; recoveryCode: boolean };

/** The columns of a factor and of its user: no two of one name, since a batch would answer with one of them. `codeHash` is that of the recovery code which a sent code would be. */
export const factorColumns = (codeHash: string) => ({
  ...getTableColumns(totpSecrets),
  user: {
    id: users.id,
    email: users.email,
    name: users.name,
    role: users.role,
    passwordHash: users.passwordHash,
    disabledAt: users.disabledAt,
  },
  recoveryCode: sql`EXISTS (SELECT 1 FROM recovery_codes WHERE recovery_codes.user_id = ${totpSecrets.userId}
    AND hash = ${codeHash} AND used_at IS NULL)`
    .mapWith(Boolean)
    .as("recovery_code"),
});

export const findFactor = (db: Database, userId: number, codeHash: string): Promise<Factor | undefined> =>
  db
    .select(factorColumns(codeHash))
    .from(totpSecrets)
    .innerJoin(users, eq(users.id, totpSecrets.userId))
    .where(eq(totpSecrets.userId, userId))
    .get();

/** Since when an account has a second factor, and how many of its recovery codes are left. */
export type TwoFactorStatus = { enabledAt: number | null; codesLeft: number };

export async function findStatus(db: Database, userId: number): Promise<TwoFactorStatus> {
  const found = await db
    .select({
      enabledAt: totpSecrets.confirmedAt,
      codesLeft: sql<number>`(SELECT count(*) FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL)`,
    })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId))
    .get();
  return found ?? { enabledAt: null, codesLeft: 0 };
}

/** Refuses the batch when the factor is another by now, or gone. */
export const isStill = ({
  userId,
  createdAt,
  confirmedAt,
}: Pick<Factor, "userId" | "createdAt" | "confirmedAt">): SQL => sql`
  INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM totp_secrets
    WHERE user_id = ${userId} AND created_at = ${createdAt} AND confirmed_at IS ${confirmedAt})`;

/** Refuses the batch when the account has a factor. */
export const noFactor = (userId: number): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT NOT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;

/** Stores a secret that is not confirmed yet, instead of any such. */
export const insertSecret = (userId: number, { sealed, sealedUnder }: Sealed, now: number): SQL => sql`
  INSERT INTO totp_secrets (user_id, sealed, sealed_under, created_at)
  VALUES (${userId}, ${sealed}, ${sealedUnder}, ${now})
  ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, sealed_under = excluded.sealed_under,
    created_at = max(excluded.created_at, totp_secrets.created_at + 1)
  WHERE confirmed_at IS NULL`;

export const confirm = (userId: number, step: number, now: number): SQL =>
  sql`UPDATE totp_secrets SET confirmed_at = ${now}, last_step = ${step} WHERE user_id = ${userId}`;

export const spendStep = (userId: number, step: number): SQL =>
  sql`UPDATE totp_secrets SET last_step = ${step} WHERE user_id = ${userId}`;

export const spendRecoveryCode = (userId: number, hash: string, now: number): SQL =>
  sql`UPDATE recovery_codes SET used_at = ${now} WHERE user_id = ${userId} AND hash = ${hash}`;

export const deleteFactor = (userId: number | SQL): SQL[] => [
  deleteRecoveryCodes(userId),
  sql`DELETE FROM totp_secrets WHERE user_id = ${userId}`,
];

/** Deletes a factor that was set up at that moment or later. */
export const deleteFactorSince = (userId: number, since: number): SQL[] => [
  sql`DELETE FROM recovery_codes WHERE user_id = ${userId}
    AND EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND created_at >= ${since})`,
  sql`DELETE FROM totp_secrets WHERE user_id = ${userId} AND created_at >= ${since}`,
];

const deleteRecoveryCodes = (userId: number | SQL): SQL => sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`;

/** The hashes of new recovery codes instead of the old ones. */
export const replaceRecoveryCodes = (userId: number, hashes: readonly string[]): SQL[] => [
  deleteRecoveryCodes(userId),
  sql`INSERT INTO recovery_codes (user_id, hash) SELECT ${userId}, value FROM json_each(${JSON.stringify(hashes)})`,
];

type FactorAction = "enable_two_factor" | "disable_two_factor" | "renew_recovery_codes";

/** The entry in the audit log for what a member of staff does to their own factor; customers' doings stay out. */
export const audited = ({ id, role }: UserCaller, author: Author, action: FactorAction): SQL[] =>
  isStaff(role) ? [auditEntry(author, { action, subject: "user", before: null, after: null }, id)] : [];

/** The e-mail that tells of it. */
export const factorNotice = (
  { settings, caller, author, client }: OwnRequest,
  template: "two_factor_enabled" | "two_factor_disabled",
): SQL =>
  queueEmail(settings.linkSecrets, { template, params: { at: author.now, ...client }, userId: caller.id }, author.now);

/** Runs statements as one batch; `used` is the error for a code that was spent meanwhile, or whose factor is another by now. */
export const writeWithCode = (db: Database, writes: readonly SQL[], used: () => ApiError): Promise<void> =>
  translateViolations(runAll(db, writes), { code_used: used, row_changed: used });

type Sealed = Pick<Factor, "sealed" | "sealedUnder">;

const findSealedUnderOlder = (db: Database, secrets: Secrets, most: number, now: number) =>
  db
    .select({ userId: totpSecrets.userId, sealed: totpSecrets.sealed })
    .from(totpSecrets)
    .where(
      and(isSealedUnderOlder(totpSecrets.sealedUnder, secrets), isFree("seal_second_factors", totpSecrets.userId, now)),
    )
    .limit(most);

const replaceSealed = (db: Database, userId: number, before: string, after: Sealed) =>
  db
    .update(totpSecrets)
    .set(after)
    .where(and(eq(totpSecrets.userId, userId), eq(totpSecrets.sealed, before)));

export const wrongCode = () => badRequest(fieldError("code", "wrong_code", "is wrong, or was used before"));

export const notEnabled = () => conflict("two_factor_not_enabled", "The account has no second factor");

/** Removes the second factor of somebody else's account, ends every session of it, and tells them. Refused by the rule `row_changed` when there is none. */
export const removeFactor = (secrets: Secrets, userId: number | SQL, author: Author): SQL[] => [
  hasFactor(userId),
  ...deleteFactor(userId),
  endSessions(userId, author.now),
  auditEntry(author, { action: "remove_two_factor", subject: "user", before: null, after: null }, userId),
  // From where is not the account's to know: it was a member of staff.
  queueEmail(
    secrets,
    { template: "two_factor_removed", params: { at: author.now, address: null, userAgent: null }, userId },
    author.now,
  ),
];

const hasFactor = (userId: number | SQL): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;

/** How many are sealed anew in one run. */
const MOST = 100;

/** Seals the secrets of second factors under the deployment's newest secret, so that an older one can be dropped. */
export const resealTotpSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "seal_second_factors",
    find: () => findSealedUnderOlder(db, secrets, MOST, now),
    idOf: ({ userId }) => userId,
    run: async ({ userId, sealed }) =>
      replaceSealed(db, userId, sealed, sealTotp(secrets, userId, unsealTotp(secrets, userId, sealed))),
  });
