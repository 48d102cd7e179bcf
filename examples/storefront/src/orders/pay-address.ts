import type { Schema } from "storefront/client";

/** Address of the payment page. Null if nothing is left to pay, or the order is not paid online. */
export const payAddress = ({ status, payment }: Schema["Order"]): string | null =>
  status === "pending" ? (payment.next_action?.url ?? null) : null;
