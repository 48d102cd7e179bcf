import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { TransactionRow } from "../../checkout/transactions/public.ts";
import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { shopCurrency, toDecimal } from "../../domain/money.ts";
import { walletLocked } from "../../domain/wallet-lock.ts";
import { auditStates } from "../../platform/audit/audit.ts";
import { countSpending, spendingRefused } from "../../platform/auth/author-limits.ts";
import type { AuthorContext, Target } from "../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { decimal, jsonRow } from "../../platform/db/json.ts";
import { transactions, users } from "../../platform/db/schema.ts";
import { insertSelected, precondition, translateViolations } from "../../platform/db/statements.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import type { WalletCredit } from "./schemas.ts";
import { findUser } from "./users.ts";

const transactionAsJson = jsonRow(getTableColumns(transactions));

/** Adds an amount to a wallet's ledger, and an audit log entry with the balances at the moment of writing. */
export async function creditWallet(
  ctx: AuthorContext,
  { target: { id, scope }, amount, reason }: WalletCredit & { target: Target },
): Promise<TransactionRow> {
  const { db, author } = ctx;
  const { userId, method, id: transactionId } = transactions;
  const account = and(eq(users.id, id), scope === "everybody" ? undefined : eq(users.role, "customer"));
  const balance = (more: SQL) =>
    sql`(SELECT json_object('wallet_balance', ${decimal(sql`(${users.walletBalance} + ${more})`, sql`${shopCurrency()}`)})
      FROM ${users} WHERE ${users.id} = ${id})`;
  const last = sql`(SELECT ${transactionAsJson} FROM ${transactions}
    WHERE ${userId} = ${id} AND ${method} = 'wallet' ORDER BY ${transactionId} DESC LIMIT 1)`;
  const row = {
    userId: users.id,
    kind: amount > 0 ? "credit" : "adjustment",
    method: "wallet",
    amount,
    balanceAfter: sql`${users.walletBalance} + ${amount}`,
    note: reason,
    createdAt: author.now,
  } as const;
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM ${users} WHERE ${account})`),
    ...countSpending({ author, amount }),
    auditStates(ctx, {
      subject: "user",
      action: "credit",
      id,
      before: balance(sql`0`),
      after: sql`json_set(${balance(sql`${amount}`)}, '$.amount', ${toDecimal(amount)}, '$.reason', ${reason})`,
    }),
    insertSelected(transactions, row, sql`FROM ${users} WHERE ${users.id} = ${id}`),
  ];
  const takesTooMuch = () => badRequest(fieldError("amount", "negative_balance", "exceeds the wallet balance"));
  return requireRow(
    await translateViolations(writeOnce<TransactionRow>(ctx, { writes, answer: last }), {
      row_changed: () => notFound(`User ${id}`),
      wallet_locked: () => lockedWallet(db, id),
      wallet_covers_charge: takesTooMuch,
      wallet_not_negative: takesTooMuch,
      ...spendingRefused({ db, author, amount }),
    }),
  );
}

const lockedWallet = async (db: Database, id: number) =>
  badRequest(walletLocked("amount", (await findUser(db, id))?.walletLockedUntil ?? Date.now()));
