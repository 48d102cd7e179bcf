import type { fulfillmentStatuses, orderStatuses } from "../db/schema.ts";
import { conflict, fieldError } from "../errors.ts";

export type OrderStatus = (typeof orderStatuses)[number];

/** Who moves an order, when, and what they note of it in its history. */
export type Move = { actor: string; now: number; note: string | null };

/** What an order becomes by being sent: the one move that comes with a shipment. */
export const SENT = "shipped" satisfies OrderStatus;

/** Where an order may go from where it is. The database holds the same table (order_moves) and refuses any other move. */
export const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["processing", "completed", "cancelled", "expired"],
  processing: [SENT, "completed", "cancelled", "refunded"],
  [SENT]: ["completed", "refunded"],
  completed: ["refunded"],
  // Paid after all, if its stock can be had again.
  expired: ["processing", "completed"],
  cancelled: [],
  refunded: [],
};

/** A status that can be asked for: an order begins as pending, and expires by time alone. */
export type OpenMove = Exclude<OrderStatus, "pending" | "expired">;

export const openMoves = (from: OrderStatus): OpenMove[] =>
  moves[from].filter((to) => to !== "pending" && to !== "expired");

/** What an order becomes by being paid. */
export const paidStatus = ({ fulfillmentStatus }: { fulfillmentStatus: (typeof fulfillmentStatuses)[number] }) =>
  fulfillmentStatus === "unfulfilled" ? "processing" : "completed";

/** 409 that names the moves which are open. */
export function moveRefused(from: OrderStatus, to: OrderStatus) {
  const open = openMoves(from);
  const words = open.length > 0 ? `it can become ${open.join(", ")}` : "nothing can change it any more";
  return conflict(
    "move_not_allowed",
    `The order is ${from} and cannot become ${to}: ${words}`,
    fieldError("status", "move_not_allowed", `cannot become ${to}: ${words}`, { allowed: open }),
  );
}
