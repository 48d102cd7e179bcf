import { type SQL, sql } from "drizzle-orm";
import { accountProviders, PAID_IN_TEST_MODE, type PaymentMethod } from "../../domain/payment-methods.ts";
import { orderHistory, orders } from "./schema.ts";

type OrderRow = typeof orders.$inferSelect;

/** Statuses of orders that are or were processed: paid ones, and those that are paid later. */
export const goingOn: readonly OrderRow["status"][] = ["processing", "shipped", "completed"];

/** True if the order is processed without being paid, because it ships before payment. */
export const isPaidLater = ({ paidAt, status }: Pick<OrderRow, "paidAt" | "status">): boolean =>
  paidAt === null && goingOn.includes(status);

/**
 * True for an order for which no money moved: it is paid by the test card, or was paid at a provider in test mode. Reads the
 * history only of orders that a provider was paid for.
 */
export const isPaidInTestMode: SQL = sql`(${orders.paymentMethod} = ${"test_card" satisfies PaymentMethod}
  OR ${orders.paymentReference} IS NOT NULL AND EXISTS (
    SELECT 1 FROM ${orderHistory} AS paid WHERE paid.order_id = ${orders.id} AND paid.kind = 'payment'
      AND paid.actor IN (SELECT value FROM json_each(${JSON.stringify(accountProviders)})) AND paid.note = ${PAID_IN_TEST_MODE}))`;

/**
 * How to pay an order, in the shop's words, for a query of orders. Null if the order is paid or is paid on a provider's page,
 * and if the shop has no instructions. Cards and PayPal without a provider are paid by bank transfer. Reads a row only if it
 * is needed.
 */
export const paymentInstructions: SQL<string | null> = sql`CASE
  WHEN paid_at IS NULL AND payment_reference IS NULL AND status NOT IN ('cancelled', 'expired') THEN (
    SELECT nullif(methods ->> ('$.' || iif(payment_method IN ('credit_card', 'paypal'), 'bank_transfer', payment_method) || '.instructions'), '')
    FROM payment_settings
  )
END`;
