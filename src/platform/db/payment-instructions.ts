import { type SQL, sql } from "drizzle-orm";

/**
 * How to pay an order, in the shop's words, for a query of orders. Null if the order is paid or is paid on a provider's page,
 * and if the shop has no instructions. Cards and PayPal without a provider are paid by bank transfer. Reads a row only if it
 * is needed.
 */
export const paymentInstructions: SQL<string | null> = sql`CASE
  WHEN paid_at IS NULL AND payment_url IS NULL AND status NOT IN ('cancelled', 'expired') THEN (
    SELECT nullif(methods ->> ('$.' || iif(payment_method IN ('credit_card', 'paypal'), 'bank_transfer', payment_method) || '.instructions'), '')
    FROM payment_settings
  )
END`;
