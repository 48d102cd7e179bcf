import { and, count, desc, eq, getTableColumns, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { hasSpan, IdText, oneSpan, spanFields, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal } from "../../domain/money.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { toRecord } from "../../domain/record.ts";
import { type AccountScope, type ApiKeyCaller, inScope, isOwn, type UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import {
  allOf,
  type Conditions,
  idsOfSpan,
  isChosen,
  limitOf,
  readFollowing,
  readPage,
  unindexed,
  type Which,
  within,
} from "../../platform/db/page.ts";
import { orders, transactionKinds, transactions } from "../../platform/db/schema.ts";
import { shopOffsetAt } from "../../platform/db/time-zone.ts";
import { cursorFields, hasCursor, type PageQuery, pageFields, withoutPages } from "../../platform/http/pagination.ts";

/** Lists a user's own transactions, or those of the orders placed with an API key. */
export const listTransactions = (db: Database, caller: UserCaller | ApiKeyCaller, query: PageQuery) =>
  page(db, isOwn(caller, transactions), byId, query);

/** Lists all transactions within `scope`. Transactions never change, so their creation time is also their update time. */
export async function adminListTransactions(db: Database, query: TransactionsQuery, scope: AccountScope) {
  const where = conditions(query, scope, transactions.createdAt);
  if (hasCursor(query)) {
    const { id, createdAt } = transactions;
    const columns = { id, changedAt: createdAt, read: (row: TransactionRow) => row.createdAt };
    return readFollowing(db, query, columns, (isAfter, order) =>
      selectTransactions(db)
        .where(and(where, isAfter))
        .orderBy(...order),
    );
  }
  return page(db, where, hasSpan(query) ? byTime : byId, query);
}

function conditions(query: TransactionFilters, scope: AccountScope, moment: SQL | SQLiteColumn): SQL | undefined {
  const { user_id, order_id, gift_card_id, kind, method } = query;
  return and(
    allOf({
      user_id: user_id === undefined ? undefined : eq(transactions.userId, user_id),
      order_id: order_id === undefined ? undefined : eq(transactions.orderId, order_id),
      gift_card_id: gift_card_id === undefined ? undefined : eq(transactions.giftCardId, gift_card_id),
      kind: kind && ofKind(kind),
      method: method && eq(transactions.method, method),
    } satisfies Conditions<TransactionFilters>),
    within(moment, query),
    inScope(scope, transactions.userId),
  );
}

/** Maximum number of transactions that are added up by day. */
export const MOST_ADDED_UP = 5_000;

/**
 * Sums and counts of the listed transactions, or of those from `from` until `until`, by kind and by the shop's days, in
 * minor units. Received money is positive. Other currencies are left out. The sums are incomplete if the counts reach
 * `MOST_ADDED_UP`.
 */
export function selectDailySums(
  db: Database,
  query: TransactionsQuery,
  scope: AccountScope,
  { from = 0, until = Number.MAX_SAFE_INTEGER } = {},
) {
  const { kind, amount, createdAt, currency } = transactions;
  const ahead = shopOffsetAt(sql`${createdAt}`, Date.now());
  const some = db
    .select({ kind, amount, day: sql<string>`date((${createdAt} + ${ahead}) / 1000, 'unixepoch')`.as("day") })
    .from(transactions)
    .where(and(conditions(query, scope, createdAt), gte(createdAt, from), lt(createdAt, until), isNull(currency)))
    .limit(MOST_ADDED_UP)
    .as("some");
  return db
    .select({ day: some.day, kind: some.kind, count: count(), sum: sql<number>`-sum(${some.amount})` })
    .from(some)
    .groupBy(sql`${some.day}`, some.kind);
}

/** Returns the id bounds of a walk through the transactions of a time range. */
export const idsOfTransactions = (db: Database, query: TransactionFilters) =>
  idsOfSpan(db, transactions, transactions.createdAt, query);

/** Returns transactions in id order. */
export const walkTransactions = (db: Database, query: TransactionFilters, scope: AccountScope, which: Which) =>
  selectTransactions(db)
    .where(and(conditions(query, scope, unindexed(transactions.createdAt)), isChosen(transactions.id, which)))
    .orderBy(transactions.id)
    .limit(limitOf(which))
    .all();

/** The partial index transactions_by_kind excludes charges. SQLite only uses it if a query repeats its condition. */
const ofKind = (kind: NonNullable<TransactionsQuery["kind"]>): SQL | undefined =>
  and(eq(transactions.kind, kind), kind === "charge" ? undefined : sql`${transactions.kind} <> 'charge'`);

const ofOrder = (column: SQLiteColumn) =>
  sql<string | null>`(SELECT ${column} FROM ${orders} WHERE ${sql`${orders.id} = ${transactions.orderId}`})`;

export const selectTransactions = (db: Database) =>
  db
    .select({
      ...getTableColumns(transactions),
      orderNumber: ofOrder(orders.number).as("order_number"),
      paymentProvider: ofOrder(orders.paymentProvider).as("payment_provider"),
    })
    .from(transactions);

export type ListedTransaction = Awaited<ReturnType<typeof selectTransactions>>[number];

/** Newest first. A time range is read in the order of its own index, without sorting. */
const byId = [desc(transactions.id)];
const byTime = [desc(transactions.createdAt), ...byId];

function page(db: Database, where: SQL | undefined, order: SQL[], query: PageQuery) {
  const rows = selectTransactions(db)
    .where(where)
    .orderBy(...order);
  return readPage(db, query, rows, transactions, where);
}

export type TransactionRow = typeof transactions.$inferSelect;

export const Transaction = z
  .object({
    id: z.int(),
    order_id: z.int().nullable(),
    kind: z.enum(transactionKinds),
    method: z.enum(paymentMethods),
    amount: Money.describe("Amount. Negative for a debit"),
    currency: z
      .string()
      .describe("Currency of the amount. Differs from the shop's currency only for a payment that is returned"),
    balance_after: Money.nullable().describe("Wallet balance after the transaction. Null for other payment methods"),
    gift_card_id: z.int().nullable().describe("Gift card from which the wallet was credited"),
    created_at: Timestamp,
  })
  .meta({ id: "Transaction" });

export const toTransaction = (row: TransactionRow, currency: string): z.output<typeof Transaction> =>
  toRecord(Transaction, row, {
    amount: toDecimal(row.amount, row.currency ?? currency),
    currency: row.currency ?? currency,
  });

/** A transaction in the administration API, with its user and note. */
export const AdminTransaction = z
  .object({
    ...Transaction.shape,
    user_id: z.int().nullable(),
    api_key_id: z.int().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "AdminTransaction" });

export const toAdminTransaction = (row: TransactionRow, currency: string): z.output<typeof AdminTransaction> => ({
  ...toTransaction(row, currency),
  user_id: row.userId,
  api_key_id: row.apiKeyId,
  note: row.note,
});

/** Filters of the administration API's transaction list. */
export const transactionFilters = {
  user_id: IdText.optional(),
  order_id: IdText.optional(),
  gift_card_id: IdText.optional(),
  kind: z.enum(transactionKinds).optional(),
  method: z.enum(paymentMethods).optional(),
  ...spanFields,
};

export const TransactionsQuery = z
  .strictObject({ ...pageFields, ...cursorFields, ...transactionFilters })
  .refine(...withoutPages)
  .refine(...oneSpan);
export type TransactionsQuery = z.output<typeof TransactionsQuery>;
export type TransactionFilters = Omit<TransactionsQuery, keyof typeof pageFields | keyof typeof cursorFields>;
