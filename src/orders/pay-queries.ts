import { type SQL, sql } from "drizzle-orm";
import { versionAfter } from "../db/precondition.ts";
import { grantPackages } from "./grant-queries.ts";
import type { Move } from "./transitions.ts";

/** Who paid, when, and by what name the provider knows it (null for the wallet and for money taken by hand). */
export type Payment = Move & { reference: string | null };

/**
 * The statements that pay an order, the same whoever pays it: the charge, the move, the packages. An order that was paid
 * or has ended violates `order_paid_already`, `order_move_not_allowed` or, without its stock, `stock_not_negative`.
 */
export const payOrder = (number: string, payment: Payment): SQL[] => [
  charge(number, payment),
  settle(number, payment),
  ...grantPackages(number, payment.now),
];

/** The wallet pays what it holds, guarded by `wallet_covers_charge`; other methods only note what was paid. */
const charge = (number: string, { now, note }: Payment): SQL => sql`
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  SELECT orders.user_id, api_key_id, orders.id, 'charge', payment_method, -total,
    CASE payment_method WHEN 'wallet' THEN wallet_balance - total END, ${note}, ${now}
  FROM orders LEFT JOIN users ON users.id = orders.user_id
  WHERE number = ${number} AND total > 0`;

/**
 * The provider that was to be paid stays only when it was: it cannot give money back that was taken by hand, and money
 * that it takes after all is returned.
 */
const settle = (number: string, { actor, now, note, reference }: Payment): SQL => sql`
  UPDATE orders SET
    status = CASE fulfillment_status WHEN 'unfulfilled' THEN 'processing' ELSE 'completed' END,
    payment_status = 'paid', paid_at = ${now}, payment_reference = ${reference},
    payment_provider = CASE WHEN ${reference} IS NULL THEN NULL ELSE payment_provider END,
    payment_url = NULL, expires_at = NULL, updated_at = ${versionAfter(now)}, updated_by = ${actor}, note = ${note}
  WHERE number = ${number}`;
