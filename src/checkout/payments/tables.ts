import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import {
  accountProviders,
  type PaymentChoices,
  paymentMethods,
  paymentProviders,
} from "../../domain/payment-methods.ts";
import { apiKeys } from "../../integrations/api-keys/tables.ts";
import { createdAt, flag, foreignId, id, rowId, updatedAt } from "../../platform/db/columns.ts";
import { giftCards } from "../gift-cards/tables.ts";
import { orders } from "../orders/tables.ts";

/** How the shop offers its payment methods. A single row once it was saved. */
export const paymentSettings = sqliteTable(
  "payment_settings",
  {
    id: integer().primaryKey(),
    methods: text({ mode: "json" }).$type<PaymentChoices>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [check("payment_settings_are_one", sql.raw(`"id" = 1`))],
);

/** Accounts at payment providers that administrators connected. The deployment's secrets take precedence. */
export const paymentAccounts = sqliteTable(
  "payment_accounts",
  {
    id: id(),
    provider: text({ enum: accountProviders }).notNull(),
    /** The provider's id of the account. Null if the key may not read it. */
    accountId: text("account_id"),
    /** Name of the account. Null if the provider returns none. */
    name: text(),
    /** Last characters of the secret key. */
    keyEnd: text("key_end").notNull(),
    live: flag("live").notNull(),
    /** The Worker's address, to which the webhook is sent. */
    baseUrl: text("base_url").notNull(),
    /** The provider's id of the webhook. */
    webhookId: text("webhook_id").notNull(),
    /** The keys, and the secret of the webhook. Encrypted. */
    sealed: text().notNull(),
    /** The secret of the deployment that encrypts them. */
    sealedUnder: text("sealed_under").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("payment_accounts_by_provider").on(table.provider)],
);

/** Processed events of payment providers, so that a repeated webhook has no effect. */
export const paymentEvents = sqliteTable(
  "payment_events",
  {
    provider: text().notNull(),
    eventId: text("event_id").notNull(),
    orderId: integer("order_id").references(() => orders.id),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.eventId] })],
);

export const testPaymentStates = ["open", "paid", "closed"] as const;

/** Payments at the test provider, stored as a provider would. Empty unless the deployment accepts test payments. */
export const testPayments = sqliteTable(
  "test_payments",
  {
    /** Random, and known only to the shop and the buyer, because it opens the payment page. */
    reference: text().primaryKey(),
    orderReference: text("order_reference").notNull(),
    /** In minor units. */
    amount: integer().notNull(),
    currency: text().notNull(),
    state: text({ enum: testPaymentStates }).notNull(),
    /** True if the buyer chose that refunds fail. */
    failsRefunds: flag("fails_refunds").notNull().default(false),
    /** Time at which the shop is notified of the payment. Null before it is paid, and after the notification. */
    confirmAt: integer("confirm_at"),
    /** Time after which the page accepts no payment. */
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("test_payments_to_confirm").on(table.confirmAt).where(sql.raw("confirm_at IS NOT NULL"))],
);

/** Failures after which a refund has to be sent manually. */
export const MAX_REFUND_FAILURES = 3;

/** Refunds through a provider: decided in the order's batch, sent afterwards, and retried until accepted. */
export const refunds = sqliteTable(
  "refunds",
  {
    id: id(),
    orderId: foreignId("order_id", () => orders.id),
    /** The provider's id of the refunded payment. */
    payment: text().notNull(),
    /** In minor units. */
    amount: integer().notNull(),
    /** Currency of the money, if it differs from the order's. */
    currency: text(),
    /** The provider's id of the refund. Null until accepted. */
    reference: text(),
    /** Number of times the provider accepted the refund but could not complete it. */
    failures: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    check("refund_positive", sql.raw(`"amount" > 0`)),
    index("refunds_to_send")
      .on(table.id)
      .where(sql.raw(`reference IS NULL AND failures < ${MAX_REFUND_FAILURES}`)),
  ],
);

/** Payment pages that still have to be closed at the provider, and authorizations whose money is not collected yet. */
export const paymentsToClose = sqliteTable(
  "payments_to_close",
  {
    provider: text({ enum: paymentProviders }).notNull(),
    /** The provider's id of the opened payment. */
    reference: text().notNull(),
    /** Time from which the schedule closes it. In the future for an authorization. */
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reference] })],
);

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
    /** Gift card from which a wallet was credited. */
    giftCardId: integer("gift_card_id").references(() => giftCards.id),
  },
  (table) => [
    check("wallet_balance_after_known", sql.raw(`("method" = 'wallet') = ("balance_after" IS NOT NULL)`)),
    check("wallet_covers_charge", sql.raw(`"balance_after" >= 0`)),
    index("transactions_by_user").on(table.userId, table.id).where(sql.raw("user_id IS NOT NULL")),
    index("transactions_by_key").on(table.apiKeyId, table.id).where(sql.raw("api_key_id IS NOT NULL")),
    index("transactions_by_order").on(table.orderId),
    index("transactions_by_kind").on(table.kind, table.id).where(sql.raw(`kind <> 'charge'`)),
    index("transactions_by_gift_card").on(table.giftCardId).where(sql.raw("gift_card_id IS NOT NULL")),
    index("transactions_by_creation").on(table.createdAt),
  ],
);
