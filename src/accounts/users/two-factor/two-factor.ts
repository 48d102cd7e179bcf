import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type ApiError, badRequest, conflict, fieldError } from "../../../domain/errors.ts";
import { Timestamp } from "../../../domain/fields.ts";
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

/** Second factor of an account. `recoveryCode` is true if the recovery code that was sent is unused. */
export type Factor = typeof totpSecrets.$inferSelect & { user: FactorUser; recoveryCode: boolean };

/**
 * Columns of a factor and its user. Names must be unique, since a batch returns only one column per name. `codeHash` is the
 * hash of the code that was sent, read as a recovery code.
 */
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

/** When the second factor was enabled, null if it is off, and how many recovery codes are left. */
export type FactorStatus = { enabledAt: number | null; codesLeft: number };

export async function findStatus(db: Database, userId: number): Promise<FactorStatus> {
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

/** Refuses the batch if the factor was changed or removed in the meantime. */
export const isStill = ({
  userId,
  createdAt,
  confirmedAt,
}: Pick<Factor, "userId" | "createdAt" | "confirmedAt">): SQL => sql`
  INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM totp_secrets
    WHERE user_id = ${userId} AND created_at = ${createdAt} AND confirmed_at IS ${confirmedAt})`;

/** Refuses the batch if the account has a factor. */
export const noFactor = (userId: number): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT NOT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;

/** Stores an unconfirmed secret, replacing any earlier one. */
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

/** Deletes a factor that was set up at or after `since`. */
export const deleteFactorSince = (userId: number, since: number): SQL[] => [
  sql`DELETE FROM recovery_codes WHERE user_id = ${userId}
    AND EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND created_at >= ${since})`,
  sql`DELETE FROM totp_secrets WHERE user_id = ${userId} AND created_at >= ${since}`,
];

const deleteRecoveryCodes = (userId: number | SQL): SQL => sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`;

/** Replaces the hashes of the recovery codes. */
export const replaceRecoveryCodes = (userId: number, hashes: readonly string[]): SQL[] => [
  deleteRecoveryCodes(userId),
  sql`INSERT INTO recovery_codes (user_id, hash) SELECT ${userId}, value FROM json_each(${JSON.stringify(hashes)})`,
];

type FactorAction = "enable_two_factor" | "disable_two_factor" | "renew_recovery_codes";

/**
 * Returns the audit entry for a change that a member of staff makes to their own factor. Customers' changes are not audited.
 */
export const audited = ({ id, role }: UserCaller, author: Author, action: FactorAction): SQL[] =>
  isStaff(role) ? [auditEntry({ author }, { action, subject: "user", id })] : [];

/** Queues the e-mail about a change to the factor. */
export const factorNotice = (
  { settings, caller, author, client }: OwnRequest,
  template: "two_factor_enabled" | "two_factor_disabled",
): SQL =>
  queueEmail(settings.linkSecrets, { template, params: { at: author.now, ...client }, userId: caller.id }, author.now);

/** Runs statements as one batch. `used` is the error if the code was spent or the factor changed in the meantime. */
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

/**
 * Removes the second factor of somebody else's account, ends all its sessions, and notifies the user. Refused by the rule
 * `row_changed` if there is no factor.
 */
export const removeFactor = (secrets: Secrets, userId: number | SQL, author: Author): SQL[] => [
  hasFactor(userId),
  ...deleteFactor(userId),
  endSessions(userId, author.now),
  auditEntry({ author }, { action: "remove_two_factor", subject: "user", id: userId }),
  // The e-mail omits the place: a member of staff made the change.
  queueEmail(
    secrets,
    { template: "two_factor_removed", params: { at: author.now, address: null, userAgent: null }, userId },
    author.now,
  ),
];

const hasFactor = (userId: number | SQL): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;

/** Maximum number of secrets re-encrypted in one run. */
const MOST = 100;

/** Re-encrypts the secrets of second factors under the deployment's newest secret, so that an older one can be dropped. */
export const resealTotpSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "seal_second_factors",
    find: () => findSealedUnderOlder(db, secrets, MOST, now),
    idOf: ({ userId }) => userId,
    run: async ({ userId, sealed }) =>
      replaceSealed(db, userId, sealed, sealTotp(secrets, userId, unsealTotp(secrets, userId, sealed))),
  });

export const Code = z
  .string()
  .min(1)
  .max(40)
  .describe("Six-digit code of the authenticator app, or a recovery code. Each code works once");

export const TwoFactorCode = z.strictObject({ code: Code }).meta({ id: "TwoFactorCode" });

export const BeginTwoFactor = z
  .strictObject({ current_password: z.string().min(1).max(128) })
  .meta({ id: "BeginTwoFactor" });

export const TwoFactorStatus = z
  .object({
    enabled: z.boolean(),
    enabled_at: Timestamp.nullable(),
    recovery_codes_left: z.int().describe("Number of unused recovery codes"),
  })
  .meta({ id: "TwoFactorStatus" });

export const TwoFactorEnrolment = z
  .object({
    secret: z.string().describe("Secret in base32, for apps that cannot scan a QR code"),
    uri: z.string().describe("The `otpauth://` address contained in the QR code"),
    qr_code: z.string().describe("QR code as SVG"),
  })
  .meta({ id: "TwoFactorEnrolment" });

export const RecoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string())
      .describe("Recovery codes, shown only once. Each code works for one login without the app"),
  })
  .meta({ id: "RecoveryCodes" });
