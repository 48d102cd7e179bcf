import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { transactionKinds, type transactions } from "../../platform/db/schema.ts";

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
    created_at: Timestamp,
  })
  .meta({ id: "Transaction" });

export const toTransaction = (row: TransactionRow, currency: string): z.output<typeof Transaction> => ({
  id: row.id,
  order_id: row.orderId,
  kind: row.kind,
  method: row.method,
  amount: toDecimal(row.amount, row.currency ?? currency),
  currency: row.currency ?? currency,
  balance_after: toDecimalOrNull(row.balanceAfter),
  created_at: iso(row.createdAt),
});

/** A transaction in the administration API, with its user and its note. */
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
