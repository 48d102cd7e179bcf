import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, rowId, updatedAt } from "../../platform/db/columns.ts";
import { orderItems, orders } from "../orders/tables.ts";

/**
 * Gift cards: multi-purpose vouchers that never expire, whose balance is redeemed into wallets. The code is not stored: it follows
 * from `nonce` and the secret of license keys. The redemptions are rows of the ledger.
 */
export const giftCards = sqliteTable(
  "gift_cards",
  {
    id: rowId(),
    /** Random hex digits with which the code begins after its prefix. They reveal nothing about the rest. */
    nonce: text().notNull().unique(),
    /** Price of the sold unit, or the amount given by staff. */
    value: integer().notNull(),
    /** Amount left to redeem. Written by triggers. */
    balance: integer().notNull(),
    /** Null if staff issued the card. */
    orderId: integer("order_id").references(() => orders.id),
    orderItemId: integer("order_item_id").references(() => orderItems.id),
    /** Reason for which staff issued the card. */
    note: text(),
    /** Time at which the card was refunded or disabled. */
    endedAt: integer("ended_at"),
    /** True for the card of a test order. */
    test: flag("test").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("gift_card_covers_redemption", sql.raw(`"balance" >= 0`)),
    check("gift_card_value_positive", sql.raw(`"value" > 0 AND "balance" <= "value"`)),
    index("gift_cards_by_order").on(table.orderId).where(sql.raw("order_id IS NOT NULL")),
    index("gift_cards_by_line").on(table.orderItemId).where(sql.raw("order_item_id IS NOT NULL")),
  ],
);
