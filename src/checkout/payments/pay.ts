import { type SQL, sql } from "drizzle-orm";
import { versionAfter } from "../../platform/db/precondition.ts";

/** The actor, time and provider reference of a payment. The reference is null for the wallet and manual payments. */
type PaidBy = { actor: string; now: number; note: string | null; reference: string | null };

/**
 * Statement that pays a waiting order, whoever pays it. Triggers record the charge and grant the packages. An order that was
 * paid or has ended violates `order_paid_already`, `order_move_not_allowed` or, without stock, `stock_not_negative`. The
 * order keeps its provider only if the provider was paid: it cannot refund a manual payment, and money it still receives is
 * returned.
 */
export const payOrder = (number: string, { actor, now, note, reference }: PaidBy): SQL => sql`
  UPDATE orders SET
    status = CASE fulfillment_status WHEN 'unfulfilled' THEN 'processing' ELSE 'completed' END,
    payment_status = 'paid', paid_at = ${now}, payment_reference = ${reference},
    payment_provider = CASE WHEN ${reference} IS NULL THEN NULL ELSE payment_provider END,
    payment_url = NULL, expires_at = NULL, updated_at = ${versionAfter(now)}, updated_by = ${actor}, note = ${note}
  WHERE number = ${number}`;
