import { type SQL, sql } from "drizzle-orm";
import { versionAfter } from "../../platform/db/precondition.ts";

/** Who marks an order as paid, when, and the provider's reference (null for the wallet and for payments by hand). */
type PaidBy = { actor: string; now: number; note: string | null; reference: string | null };

/**
 * The statement that pays an order which waits, the same whoever pays it: the row is charged and grants its packages by itself.
 * One that was paid or has ended violates `order_paid_already`, `order_move_not_allowed` or, without its stock,
 * `stock_not_negative`.
 *
 * The provider that was to be paid stays only when it was: it cannot give money back that was taken by hand, and money
 * that it takes after all is returned.
 */
export const payOrder = (number: string, { actor, now, note, reference }: PaidBy): SQL => sql`
  UPDATE orders SET
    status = CASE fulfillment_status WHEN 'unfulfilled' THEN 'processing' ELSE 'completed' END,
    payment_status = 'paid', paid_at = ${now}, payment_reference = ${reference},
    payment_provider = CASE WHEN ${reference} IS NULL THEN NULL ELSE payment_provider END,
    payment_url = NULL, expires_at = NULL, updated_at = ${versionAfter(now)}, updated_by = ${actor}, note = ${note}
  WHERE number = ${number}`;
