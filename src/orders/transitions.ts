import type { orderStatuses } from "../db/schema.ts";
import { conflict } from "../errors.ts";

export type OrderStatus = (typeof orderStatuses)[number];

/** Where an order may go from where it is. The database holds the same table (order_moves) and refuses any other move. */
export const moves: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["processing", "completed", "cancelled", "expired"],
  processing: ["shipped", "completed", "cancelled", "refunded"],
  shipped: ["completed", "refunded"],
  completed: ["refunded"],
  // Paid after all, if its stock can be had again.
  expired: ["processing", "completed"],
  cancelled: [],
  refunded: [],
};

/** 409 that names the moves which are open. */
export function moveRefused(from: OrderStatus, to: OrderStatus) {
  const open = moves[from].length > 0 ? `it can become ${moves[from].join(", ")}` : "nothing can change it any more";
  return conflict(`The order is ${from} and cannot become ${to}: ${open}`, { status: [...moves[from]] });
}
