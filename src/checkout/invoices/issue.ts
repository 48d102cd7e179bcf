import { type SQL, sql } from "drizzle-orm";
import { isPaidInTestMode } from "../../platform/db/order-payment.ts";

/** Change of an order that may issue its first invoice. Null for any other change. */
export type InvoiceMoment = "payment" | "shipment" | "manual" | null;

/**
 * True if the shop issues the first invoice of an order at this moment. A change that is none may still correct invoices. An order
 * that was paid in test mode takes no number.
 */
function isDue(moment: InvoiceMoment): SQL {
  if (moment === null) return sql`EXISTS (SELECT 1 FROM invoices WHERE order_id = orders.id)`;
  const isPlaced = sql`(paid_at IS NOT NULL OR status NOT IN ('pending', 'cancelled', 'expired')) AND orders.total > refunded_total`;
  return sql`${isChosen[moment]} AND ${isPlaced} AND NOT ${isPaidInTestMode}`;
}

const isChosen = {
  manual: sql`TRUE`,
  payment: sql`invoice_moment <> 'manual' AND (invoice_moment = 'payment' OR fulfillment_status = 'not_required')`,
  shipment: sql`invoice_moment <> 'manual'`,
};

/**
 * The last statement of every batch that changes an order: issues its first invoice if the shop wants one at this moment, and
 * from then on a document for each difference between the order and its invoices so far. It takes the next number within the
 * batch, so a batch that fails leaves no gap.
 */
export const issueInvoice = (reference: string, moment: InvoiceMoment): SQL => sql`
  INSERT INTO invoices (id, number, order_id, type, issued_at, issued_on, currency, total, tax, seller, content, corrects)
  SELECT next.id, next.number, next.order_id, type, issued_at, issued_on, next.currency, next.total, tax, seller, content, corrects
  FROM shop CROSS JOIN orders CROSS JOIN next_invoices AS next ON next.order_id = orders.id
  WHERE orders.reference = ${reference} AND ${isDue(moment)}`;
