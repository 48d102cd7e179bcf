import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Author } from "../audit/entry.ts";
import { auditStates } from "../audit/queries.ts";
import { type Database, one, writeThenRead } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { transactions } from "../db/schema.ts";
import { refusing } from "../db/violation.ts";
import { badRequest, conflict, notFound } from "../errors.ts";
import type { Claim } from "../idempotency/claim.ts";
import { keepAnswer } from "../idempotency/queries.ts";
import { toDecimal } from "../money.ts";
import type { Target } from "../reach.ts";
import type { TransactionRow } from "../transaction.ts";
import type { WalletCredit } from "./schemas.ts";

const transactionAsJson = jsonRow(transactions);

/** Adds to the ledger, and to the audit log with the balances of that very moment. */
export async function insertCredit(
  db: Database,
  { id, reach }: Target,
  { amount, reason }: WalletCredit,
  author: Author,
  claim: Claim | undefined,
): Promise<TransactionRow> {
  const balance = (more: SQL) =>
    sql`(SELECT json_object('wallet_balance', (wallet_balance + ${more}) / 100.0) FROM users WHERE id = ${id})`;
  const inWallet = and(eq(transactions.userId, id), eq(transactions.method, "wallet"));
  const last = db.select().from(transactions).where(inWallet).orderBy(desc(transactions.id)).limit(1);
  const snapshot = sql`(SELECT ${transactionAsJson} FROM transactions
    WHERE user_id = ${id} AND method = 'wallet' ORDER BY id DESC LIMIT 1)`;
  const writes = [
    sql`INSERT INTO preconditions (holds)
      SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND (role = 'customer' OR ${reach === "everybody"}))`,
    auditStates(author, { subject: "user", action: "credit" }, id, {
      before: balance(sql`0`),
      after: sql`json_set(${balance(sql`${amount}`)}, '$.amount', ${toDecimal(amount)}, '$.reason', ${reason})`,
    }),
    sql`INSERT INTO transactions (user_id, kind, method, amount, balance_after, note, created_at)
      SELECT id, ${amount > 0 ? "credit" : "adjustment"}, 'wallet', ${amount}, wallet_balance + ${amount}, ${reason}, ${author.now}
      FROM users WHERE id = ${id}`,
    ...(claim ? keepAnswer(claim, snapshot, author.now) : []),
  ];
  const takesTooMuch = () => badRequest({ amount: ["takes more than there is in the wallet"] });
  return one(
    await refusing(writeThenRead(db, writes, last), {
      row_changed: () => notFound(`User ${id}`),
      wallet_covers_charge: takesTooMuch,
      wallet_not_negative: takesTooMuch,
      idempotency_keys: () => conflict("This Idempotency-Key was used in the same instant: try again"),
    }),
  );
}
