import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type ApiError, badRequest, conflict, fieldError } from "../../../domain/errors.ts";
import { Timestamp } from "../../../domain/fields.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { UserCaller, UserContext, WriteContext } from "../../../platform/auth/caller.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { recoveryCodes, totpSecrets, users } from "../../../platform/db/schema.ts";
import { insertSelected, precondition, translateViolations, updateRows } from "../../../platform/db/statements.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import { reseal } from "../../../platform/queues/reseal.ts";
import type { Secrets, Settings } from "../../../platform/settings/settings.ts";
import type { AccountContext } from "../account-context.ts";
import { endSessions } from "../sessions/sessions.ts";
import { totpPurpose } from "./codes.ts";

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
  recoveryCode: sql`EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE ${recoveryCodes.userId} = ${totpSecrets.userId}
    AND ${recoveryCodes.hash} = ${codeHash} AND ${recoveryCodes.usedAt} IS NULL)`
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
      codesLeft: db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
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
}: Pick<Factor, "userId" | "createdAt" | "confirmedAt">): SQL =>
  precondition(sql`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE ${totpSecrets.userId} = ${userId}
    AND ${totpSecrets.createdAt} = ${createdAt} AND ${totpSecrets.confirmedAt} IS ${confirmedAt})`);

/** Refuses the batch if the account has a factor. */
export const noFactor = (userId: number): SQL => precondition(sql`NOT ${isEnabled(userId)}`);

const hasFactor = (userId: number | SQL): SQL => precondition(isEnabled(userId));

const isEnabled = (userId: number | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE ${ofUser(userId)} AND ${totpSecrets.confirmedAt} IS NOT NULL)`;

const ofUser = (userId: number | SQL): SQL => sql`${totpSecrets.userId} = ${userId}`;

/** Stores an unconfirmed secret of the caller, replacing any earlier one. */
export const insertSecret = (
  { db, caller, author }: UserContext,
  sealed: Pick<Factor, "sealed" | "sealedUnder">,
): SQL =>
  db
    .insert(totpSecrets)
    .values({ userId: caller.id, ...sealed, createdAt: author.now })
    .onConflictDoUpdate({
      target: totpSecrets.userId,
      set: { ...sealed, createdAt: sql`max(${author.now}, ${totpSecrets.createdAt} + 1)` },
      setWhere: isNull(totpSecrets.confirmedAt),
    })
    .getSQL();

export const confirm = ({ caller, author }: Pick<UserContext, "caller" | "author">, step: number): SQL =>
  updateRows(totpSecrets, { confirmedAt: author.now, lastStep: step }, ofUser(caller.id));

export const spendStep = (userId: number, step: number): SQL =>
  updateRows(totpSecrets, { lastStep: step }, ofUser(userId));

export const spendRecoveryCode = (
  { author }: Pick<WriteContext, "author">,
  { userId, hash }: { userId: number; hash: string },
): SQL =>
  updateRows(
    recoveryCodes,
    { usedAt: author.now },
    sql`${recoveryCodes.userId} = ${userId} AND ${recoveryCodes.hash} = ${hash}`,
  );

export const deleteFactor = (userId: number | SQL): SQL[] => [
  deleteRecoveryCodes(userId),
  sql`DELETE FROM ${totpSecrets} WHERE ${ofUser(userId)}`,
];

/** Deletes a factor that was set up at or after `since`. */
export const deleteFactorSince = (userId: number, since: number): SQL[] => {
  const setUp = sql`${ofUser(userId)} AND ${totpSecrets.createdAt} >= ${since}`;
  return [
    sql`${deleteRecoveryCodes(userId)} AND EXISTS (SELECT 1 FROM ${totpSecrets} WHERE ${setUp})`,
    sql`DELETE FROM ${totpSecrets} WHERE ${setUp}`,
  ];
};

const deleteRecoveryCodes = (userId: number | SQL): SQL =>
  sql`DELETE FROM ${recoveryCodes} WHERE ${recoveryCodes.userId} = ${userId}`;

/** Replaces the hashes of the recovery codes. */
export const replaceRecoveryCodes = (userId: number, hashes: readonly string[]): SQL[] => [
  deleteRecoveryCodes(userId),
  insertSelected(recoveryCodes, { userId, hash: sql`value` }, sql`FROM json_each(${JSON.stringify(hashes)})`),
];

type FactorAction = "enable_two_factor" | "disable_two_factor" | "renew_recovery_codes";

/**
 * Returns the audit entry for a change that a member of staff makes to their own factor. Customers' changes are not audited.
 */
export const audited = (ctx: Pick<UserContext, "caller" | "author">, action: FactorAction): SQL[] =>
  isStaff(ctx.caller.role) ? [auditEntry(ctx, { action, subject: "user", id: ctx.caller.id })] : [];

/** Queues the e-mail about a change to the factor. */
export const factorNotice = (
  ctx: AccountContext<UserCaller>,
  template: "two_factor_enabled" | "two_factor_disabled",
): SQL => queueEmail(ctx, { template, params: { at: ctx.author.now, ...ctx.client }, userId: ctx.caller.id });

/** Runs statements as one batch. `used` is the error if the code was spent or the factor changed in the meantime. */
export const writeWithCode = (
  { db }: Pick<WriteContext, "db">,
  { writes, used }: { writes: readonly SQL[]; used: () => ApiError },
): Promise<void> => translateViolations(runAll(db, writes), { code_used: used, row_changed: used });

export const wrongCode = () => badRequest(fieldError("code", "wrong_code", "is wrong or was already used"));

export const notEnabled = () => conflict("two_factor_not_enabled", "The account has no second factor");

/**
 * Removes the second factor of somebody else's account, ends all its sessions, and notifies the user. Refused by the rule
 * `row_changed` if there is no factor.
 */
export const removeFactor = (
  ctx: Pick<WriteContext, "author"> & { settings: Pick<Settings, "linkSecrets"> },
  userId: number | SQL,
): SQL[] => [
  hasFactor(userId),
  ...deleteFactor(userId),
  endSessions(ctx, userId),
  auditEntry(ctx, { action: "remove_two_factor", subject: "user", id: userId }),
  // The e-mail omits the place: a member of staff made the change.
  queueEmail(ctx, {
    template: "two_factor_removed",
    params: { at: ctx.author.now, address: null, userAgent: null },
    userId,
  }),
];

export const resealTotpSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  reseal(db, secrets, now, {
    queue: "seal_second_factors",
    id: totpSecrets.userId,
    nameColumn: totpSecrets.userId,
    purposeOf: totpPurpose,
  });

export const SecondFactorCode = z
  .string()
  .min(1)
  .max(40)
  .describe("Six-digit code of the authenticator app, or a recovery code. Each code works once");

export const TwoFactorCode = z.strictObject({ code: SecondFactorCode }).meta({ id: "TwoFactorCode" });

export const TwoFactorEnrolmentRequest = z
  .strictObject({ current_password: z.string().min(1).max(128) })
  .meta({ id: "TwoFactorEnrolmentRequest" });

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
      .describe("Recovery codes, shown only once. Each code works for one sign-in without the app"),
  })
  .meta({ id: "RecoveryCodes" });
