import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { TransactionRow } from "../../checkout/transactions/public.ts";
import { shopCurrency } from "../../domain/currency.ts";
import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { toDecimal } from "../../domain/money.ts";
import { walletLocked } from "../../domain/wallet-lock.ts";
import { countSpending, spendingRefused } from "../../platform/administration/spending-queries.ts";
import { auditStates } from "../../platform/audit/audit.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { Target } from "../../platform/db/account-scope.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { decimal, jsonRow } from "../../platform/db/json.ts";
import { transactions } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import type { WalletCredit } from "./schemas.ts";
import { findUser } from "./users.ts";

const transactionAsJson = jsonRow(getTableColumns(transactions));

/** Adds an amount to a wallet's ledger, and an audit log entry with the balances at the moment of writing. */
export async function creditWallet(
  db: Database,
  { id, scope }: Target,
  { amount, reason }: WalletCredit,
  author: Author,
): Promise<TransactionRow> {
  const balance = (more: SQL) =>
    sql`(SELECT json_object('wallet_balance', ${decimal(sql`(wallet_balance + ${more})`, sql`${shopCurrency()}`)})
      FROM users WHERE id = ${id})`;
  const last = sql`(SELECT ${transactionAsJson} FROM transactions
    WHERE user_id = ${id} AND method = 'wallet' ORDER BY id DESC LIMIT 1)`;
  const writes = [
    sql`INSERT INTO preconditions (holds)
      SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND (role = 'customer' OR ${scope === "everybody"}))`,
    ...countSpending({ author }, amount),
    auditStates(
      { author },
      {
        subject: "user",
        action: "credit",
        id,
        before: balance(sql`0`),
        after: sql`json_set(${balance(sql`${amount}`)}, '$.amount', ${toDecimal(amount)}, '$.reason', ${reason})`,
      },
    ),
    sql`INSERT INTO transactions (user_id, kind, method, amount, balance_after, note, created_at)
      SELECT id, ${amount > 0 ? "credit" : "adjustment"}, 'wallet', ${amount}, wallet_balance + ${amount}, ${reason}, ${author.now}
      FROM users WHERE id = ${id}`,
  ];
  const takesTooMuch = () =>
    badRequest(fieldError("amount", "negative_balance", "takes more than there is in the wallet"));
  return requireRow(
    await translateViolations(writeOnce<TransactionRow>({ db, author }, { writes, answer: last }), {
      row_changed: () => notFound(`User ${id}`),
      wallet_locked: () => lockedWallet(db, id),
      wallet_covers_charge: takesTooMuch,
      wallet_not_negative: takesTooMuch,
      ...spendingRefused(author),
    }),
  );
}

const lockedWallet = async (db: Database, id: number) =>
  badRequest(walletLocked("amount", (await findUser(db, id))?.walletLockedUntil ?? Date.now()));
