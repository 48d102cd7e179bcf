import { eq, type SQL, sql } from "drizzle-orm";
import { conflict, notFound } from "../../domain/errors.ts";
import { limits } from "../../domain/limits.ts";
import { auditEntry } from "../../platform/audit/queries.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireFirst, writeThenRead } from "../../platform/db/client.ts";
import { versionAfter } from "../../platform/db/precondition.ts";
import { users } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { endSessions, erasureRefusals } from "../users/public.ts";

const refusals = {
  ...erasureRefusals,
  wallet_not_empty: () =>
    conflict("wallet_not_empty", "There is money in the wallet: spend it, or ask the shop to pay it out"),
  orders_open: () =>
    conflict("orders_open", "An order is not paid or not sent yet: cancel it, or wait until it is on its way"),
};

/**
 * Whose account, and who is audited for it: nobody where customers do it themselves. `verified` is the hash of a password
 * that was shown, and has to be the account's still.
 */
export type ErasureChange = { id: number; author: Author; audit: Author | null; verified?: string };

async function write(db: Database, change: ErasureChange, action: string, eraseAt: SQL, more: SQL[]) {
  const { id, author, audit, verified } = change;
  const holds = verified === undefined ? sql`TRUE` : sql`password_hash = ${verified}`;
  const writes = [
    sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND ${holds})`,
    sql`UPDATE users SET erase_at = ${eraseAt}, updated_at = ${versionAfter(author.now)} WHERE id = ${id}`,
    ...more,
    ...(audit ? [auditEntry(audit, { action, subject: "user", before: null, after: null }, id)] : []),
  ];
  const read = db.select({ eraseAt: users.eraseAt }).from(users).where(eq(users.id, id));
  return requireFirst(
    await translateViolations(writeThenRead(db, writes, read), {
      ...refusals,
      ...(verified === undefined ? { row_changed: () => notFound(`User ${id}`) } : editedMeanwhile),
    }),
  );
}

/** Asks for the erasure of an account, and signs it out. Asked again it is due when it was. */
export const requestErasure = (db: Database, change: ErasureChange, notices: SQL[]) =>
  write(db, change, "erase", sql`coalesce(erase_at, ${versionAfter(change.author.now)} + ${limits.ERASURE_GRACE_MS})`, [
    endSessions(change.id, change.author.now),
    ...notices,
  ]);

export const undoErasure = (db: Database, change: ErasureChange) => write(db, change, "restore", sql`NULL`, []);
