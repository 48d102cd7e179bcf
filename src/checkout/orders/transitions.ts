import { conflict, fieldError } from "../../domain/errors.ts";
import { isPaidLater } from "../../platform/db/order-payment.ts";
import type { orderStatuses } from "../../platform/db/schema.ts";
import type { ItemRow, OrderRow } from "./schemas.ts";
import { unsentLines } from "./shipments/units.ts";

export type OrderStatus = (typeof orderStatuses)[number];

/** The status of a shipped order, the only one reached by a shipment. */
export const SENT = "shipped" satisfies OrderStatus;

/** Statuses that an order can move to, by current status. The database holds them in order_moves and refuses any other move. */
export const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["processing", "completed", "cancelled", "expired"],
  processing: [SENT, "completed", "cancelled", "refunded"],
  // A shipped order is refunded if it was paid, and cancelled otherwise.
  [SENT]: ["completed", "cancelled", "refunded"],
  completed: ["cancelled", "refunded"],
  // Paid late, if its stock is still available.
  expired: ["processing", "completed"],
  cancelled: [],
  refunded: [],
};

/** A status that can be requested. Orders start as pending. */
export type OpenMove = Exclude<OrderStatus, "pending">;

type OrderStatuses = Pick<OrderRow, "status" | "fulfillmentStatus" | "paidAt" | "sandbox"> & {
  items: readonly ItemRow[];
};

/** True if units of the order were shipped or handed over. */
export const hasLeft = ({ status, fulfillmentStatus }: Pick<OrderStatuses, "status" | "fulfillmentStatus">): boolean =>
  status === SENT || status === "completed" || fulfillmentStatus === "partially_fulfilled";

/**
 * Statuses to which an order can change. Shipping requires unshipped units, refunding a payment, and cancelling a paid
 * order that no units are shipped. Only a test order expires before its time.
 */
export const openMoves = (order: OrderStatuses): OpenMove[] =>
  moves[order.status].filter((to): to is OpenMove => {
    if (to === SENT) return unsentLines(order.items).length > 0;
    if (to === "cancelled") return order.paidAt === null || !hasLeft(order);
    if (to === "refunded") return order.paidAt !== null;
    if (to === "expired") return order.sandbox;
    return to !== "pending";
  });

/** Status of an order once it is paid. An order that is paid later keeps its status. */
export function paidStatus(order: Pick<OrderStatuses, "status" | "fulfillmentStatus" | "paidAt">): OrderStatus {
  if (isPaidLater(order)) return order.status;
  return order.fulfillmentStatus === "unfulfilled" ? "processing" : "completed";
}

/** True if a payment of the order can be recorded. */
export const canBeMarkedPaid = (order: OrderStatuses): boolean =>
  isPaidLater(order) || (order.paidAt === null && openMoves(order).some((open) => open === paidStatus(order)));

/** Returns a 409 that lists the allowed statuses. */
export function moveRefused(order: OrderStatuses, to: OrderStatus) {
  const open = openMoves(order).filter((each) => each !== to);
  const words = open.length > 0 ? `it can become ${open.join(", ")}` : "it can no longer change";
  const from = order.fulfillmentStatus === "partially_fulfilled" ? "partly sent" : order.status;
  return conflict(
    "move_not_allowed",
    `The order is ${from} and cannot become ${to}: ${words}`,
    fieldError("status", "move_not_allowed", `cannot become ${to}: ${words}`, { allowed: open }),
  );
}
