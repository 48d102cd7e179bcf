import { conflict, fieldError } from "../../domain/errors.ts";
import type { fulfillmentStatuses, orderStatuses } from "../../platform/db/schema.ts";
import type { ItemRow } from "./schemas.ts";
import { unsentLines } from "./shipments/units.ts";

export type OrderStatus = (typeof orderStatuses)[number];

/** The status of a shipped order, the only one reached by a shipment. */
export const SENT = "shipped" satisfies OrderStatus;

/**
 * Statuses that an order can move to, by current status. The database holds an identical table (order_moves) and refuses any
 * other move.
 */
export const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["processing", "completed", "cancelled", "expired"],
  processing: [SENT, "completed", "cancelled", "refunded"],
  [SENT]: ["completed", "refunded"],
  completed: ["refunded"],
  // Paid late, if its stock is still available.
  expired: ["processing", "completed"],
  cancelled: [],
  refunded: [],
};

/** A status that can be requested. Orders start as pending and expire only by time. */
export type OpenMove = Exclude<OrderStatus, "pending" | "expired">;

type OrderStatuses = {
  status: OrderStatus;
  fulfillmentStatus: (typeof fulfillmentStatuses)[number];
  items: readonly ItemRow[];
};

/** Statuses that an order can be moved to. Shipping requires unshipped units, and cancelling that no units are shipped. */
export const openMoves = (order: OrderStatuses): OpenMove[] =>
  moves[order.status].filter((to): to is OpenMove => {
    if (to === SENT) return unsentLines(order.items).length > 0;
    if (to === "cancelled") return order.fulfillmentStatus !== "partially_fulfilled";
    return to !== "pending" && to !== "expired";
  });

/** Status of an order once it is paid. */
export const paidStatus = ({ fulfillmentStatus }: Pick<OrderStatuses, "fulfillmentStatus">) =>
  fulfillmentStatus === "unfulfilled" ? "processing" : "completed";

/** Returns a 409 that lists the allowed moves. */
export function moveRefused(order: OrderStatuses, to: OrderStatus) {
  const open = openMoves(order);
  const words = open.length > 0 ? `it can become ${open.join(", ")}` : "nothing can change it any more";
  const from = order.fulfillmentStatus === "partially_fulfilled" ? "partly sent" : order.status;
  return conflict(
    "move_not_allowed",
    `The order is ${from} and cannot become ${to}: ${words}`,
    fieldError("status", "move_not_allowed", `cannot become ${to}: ${words}`, { allowed: open }),
  );
}
