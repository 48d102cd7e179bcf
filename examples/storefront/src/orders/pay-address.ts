import type { ShownOrder } from "./order-links.ts";

/** URL of the payment page. Null if nothing is left to pay, or the order is not paid online. */
export const payAddress = ({ status, payment }: Pick<ShownOrder, "status" | "payment">): string | null =>
  status === "pending" ? (payment.next_action?.url ?? null) : null;
