import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { paymentMethods } from "../../../domain/payment-methods.ts";
import { apiKeys } from "./api-keys.ts";
import { createdAt, rowId } from "./columns.ts";
import { orders } from "./orders.ts";
import { users } from "./users.ts";

export const transactionKinds = ["charge", "refund", "credit", "adjustment"] as const;

/** The ledger. Append-only. */
export const transactions = sqliteTable(
  "transactions",
  {
    id: rowId(),
    userId: integer("user_id").references(() => users.id),
    /** API key that placed the order, for guest orders. */
    apiKeyId: integer("api_key_id").references(() => apiKeys.id),
    orderId: integer("order_id").references(() => orders.id),
    kind: text({ enum: transactionKinds }).notNull(),
    method: text({ enum: paymentMethods }).notNull(),
    /** Negative for a debit. */
    amount: integer().notNull(),
    /** Currency of returned money, if it differs from the shop's. */
    currency: text(),
    /** Wallet balance after the transaction. Null for other methods. */
    balanceAfter: integer("balance_after"),
    note: text(),
    createdAt: createdAt(),
  },
  (table) => [
    check("wallet_balance_after_known", sql.raw(`("method" = 'wallet') = ("balance_after" IS NOT NULL)`)),
    check("wallet_covers_charge", sql.raw(`"balance_after" >= 0`)),
    index("transactions_by_user").on(table.userId, table.id).where(sql.raw("user_id IS NOT NULL")),
    index("transactions_by_key").on(table.apiKeyId, table.id).where(sql.raw("api_key_id IS NOT NULL")),
    index("transactions_by_order").on(table.orderId),
    index("transactions_by_kind").on(table.kind, table.id).where(sql.raw(`kind <> 'charge'`)),
    index("transactions_by_creation").on(table.createdAt),
  ],
);
