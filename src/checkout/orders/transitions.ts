import { conflict, fieldError } from "../../domain/errors.ts";
import type { fulfillmentStatuses, orderStatuses } from "../../platform/db/schema.ts";
import type { ItemRow } from "./schemas.ts";
import { unsentLines } from "./shipments/units.ts";

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

type OrderState = {
  status: OrderStatus;
  fulfillmentStatus: (typeof fulfillmentStatuses)[number];
  items: readonly ItemRow[];
};

/** What an order can be made to become: of what waits to be sent a part may have left, or nothing be left. */
export const openMoves = (order: OrderState): OpenMove[] =>
  moves[order.status].filter((to): to is OpenMove => {
    if (to === SENT) return unsentLines(order.items).length > 0;
    if (to === "cancelled") return order.fulfillmentStatus !== "partially_fulfilled";
    return to !== "pending" && to !== "expired";
  });

/** What an order becomes by being paid. */
export const paidStatus = ({ fulfillmentStatus }: Pick<OrderState, "fulfillmentStatus">) =>
  fulfillmentStatus === "unfulfilled" ? "processing" : "completed";

/** 409 that names the moves which are open. */
export function moveRefused(order: OrderState, to: OrderStatus) {
  const open = openMoves(order);
  const words = open.length > 0 ? `it can become ${open.join(", ")}` : "nothing can change it any more";
  const from = order.fulfillmentStatus === "partially_fulfilled" ? "partly sent" : order.status;
  return conflict(
    "move_not_allowed",
    `The order is ${from} and cannot become ${to}: ${words}`,
    fieldError("status", "move_not_allowed", `cannot become ${to}: ${words}`, { allowed: open }),
  );
}
