import { and, eq, type SQL, sql } from "drizzle-orm";
import { conflict, notFound } from "../../domain/errors.ts";
import { limits } from "../../domain/limits.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { AuthorContext, SettingsContext, UserCaller, UserContext } from "../../platform/auth/caller.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/user-limiter.ts";
import { requireFirst, writeThenRead } from "../../platform/db/client.ts";
import { users } from "../../platform/db/schema.ts";
import { precondition, translateViolations, versionAfter } from "../../platform/db/statements.ts";
import { queueEmail } from "../../platform/email/emails.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { type AccountContext, confirmPassword, endSessions, erasureRefusals } from "../users/public.ts";

/** Erases the caller's own account and ends every session, including the current one. */
export async function eraseOwnAccount(ctx: AccountContext<UserCaller>, password: string) {
  const { id, passwordHash } = await confirmPassword(ctx, password);
  return erase(ctx, { id, isAudited: isStaff(ctx.caller.role), verified: passwordHash });
}

export const eraseCustomer = (ctx: SettingsContext, id: number) => erase(ctx, { id, isAudited: true });

/** Schedules the erasure of an account and signs it out. A repeated request keeps the original due date. */
async function erase(ctx: SettingsContext, change: ErasureChange) {
  const { id } = change;
  const due = sql`coalesce(${users.eraseAt}, ${versionAfter(ctx.author.now)} + ${limits.ERASURE_GRACE_MS})`;
  const notice = queueEmail(ctx, { template: "erasure_requested", params: {}, userId: id });
  const statements = [endSessions(ctx, id), notice];
  const requested = await writeErasure(ctx, { ...change, action: "erase", eraseAt: due, statements });
  await forgetUser(ctx.env, id);
  return requested;
}

export const keepOwnAccount = (ctx: UserContext) => undoErasure(ctx, { id: ctx.caller.id, isAudited: false });

export const keepCustomer = (ctx: AuthorContext, id: number) => undoErasure(ctx, { id, isAudited: true });

const undoErasure = (ctx: AuthorContext, change: ErasureChange) =>
  writeErasure(ctx, { ...change, action: "restore", eraseAt: sql`NULL`, statements: [] });

const refusals = {
  ...erasureRefusals,
  wallet_not_empty: () =>
    conflict("wallet_not_empty", "The wallet is not empty. Spend the balance, or ask the shop to pay it out"),
  orders_open: () => conflict("orders_open", "An order is not paid or shipped yet. Cancel it, or wait until it ships"),
};

/**
 * The account to erase. The audit log does not name customers who erase themselves. `verified` is the hash of the password they
 * entered, which must still be the account's.
 */
type ErasureChange = { id: number; isAudited: boolean; verified?: string };

async function writeErasure(
  ctx: AuthorContext,
  {
    id,
    isAudited,
    verified,
    action,
    eraseAt,
    statements,
  }: ErasureChange & { action: string; eraseAt: SQL; statements: SQL[] },
) {
  const { db, author } = ctx;
  const isStill = and(eq(users.id, id), verified === undefined ? undefined : eq(users.passwordHash, verified));
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM ${users} WHERE ${isStill})`),
    db
      .update(users)
      .set({ eraseAt, updatedAt: versionAfter(author.now) })
      .where(eq(users.id, id))
      .getSQL(),
    ...statements,
    ...(isAudited ? [auditEntry(ctx, { action, subject: "user", id })] : []),
  ];
  const read = db.select({ eraseAt: users.eraseAt }).from(users).where(eq(users.id, id));
  return requireFirst(
    await translateViolations(writeThenRead(db, writes, read), {
      ...refusals,
      ...(verified === undefined ? { row_changed: () => notFound(`User ${id}`) } : editedMeanwhile),
    }),
  );
}
