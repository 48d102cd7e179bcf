import type { ShownOrder } from "./order-links.ts";

/** URL of the payment page. Null if nothing is left to pay, or the order is not paid online. */
export const payAddress = ({ status, payment }: Pick<ShownOrder, "status" | "payment">): string | null =>
  status === "pending" ? (payment.next_action?.url ?? null) : null;

/** True if a payment may be on its way: the last one has not failed, and the order can still be paid online. */
export const isWaiting = (order: Pick<ShownOrder, "status" | "payment" | "payment_status">): boolean =>
  payAddress(order) !== null && order.payment_status !== "failed";
