import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { goingOn } from "../../platform/db/order-payment.ts";
import { orders } from "../../platform/db/schema.ts";
import { versionAfter } from "../../platform/db/statements.ts";

/** The paid order, the note for its history, and the provider's reference of the payment, null for the wallet and manual payments. */
type PaidOrder = { reference: string; note: string | null; paymentReference: string | null };

/**
 * Statement that marks an order as paid, for every way of paying. Triggers record the charge and grant the packages. An order
 * that was paid or has ended violates `order_paid_already`, `order_move_not_allowed` or, without stock, `stock_not_negative`.
 * The order keeps its provider only if the provider was paid: it cannot refund a manual payment, and money it still receives is
 * returned.
 */
export const payOrder = (
  { db, author: { actor, now } }: AuthorContext,
  { reference, note, paymentReference }: PaidOrder,
): SQL =>
  db
    .update(orders)
    .set({
      status: sql`CASE
        WHEN ${inArray(orders.status, [...goingOn])} THEN ${orders.status}
        WHEN ${orders.fulfillmentStatus} = 'unfulfilled' THEN 'processing'
        ELSE 'completed'
      END`,
      paymentStatus: "paid",
      paidAt: now,
      paymentReference,
      ...(paymentReference === null && { paymentProvider: null }),
      paymentUrl: null,
      expiresAt: null,
      unpaidFrom: null,
      updatedAt: versionAfter(now),
      updatedBy: actor,
      note,
    })
    .where(eq(orders.reference, reference))
    .getSQL();
