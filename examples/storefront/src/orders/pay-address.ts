import type { Schema } from "storefront/client";

/** Where the buyer pays online; null once nothing is to be paid, and where no payment provider is asked. */
export const payAddress = ({ status, payment }: Schema["Order"]): string | null =>
  status === "pending" ? (payment.next_action?.url ?? null) : null;
