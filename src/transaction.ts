import type { transactions } from "./db/schema.ts";
import { iso } from "./http/fields.ts";
import { toDecimal, toDecimalOrNull } from "./money.ts";

export type TransactionRow = typeof transactions.$inferSelect;

export const toTransaction = (row: TransactionRow) => ({
  id: row.id,
  order_id: row.orderId,
  kind: row.kind,
  method: row.method,
  amount: toDecimal(row.amount),
  balance_after: toDecimalOrNull(row.balanceAfter),
  created_at: iso(row.createdAt),
});

/** As administrators see it: with whose it is, and what was noted. */
export const toAdminTransaction = (row: TransactionRow) => ({
  ...toTransaction(row),
  user_id: row.userId,
  api_key_id: row.apiKeyId,
  note: row.note,
});
