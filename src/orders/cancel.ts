import { type Author, auditedKey } from "../audit/entry.ts";
import type { ApiKeyCaller, UserCaller } from "../auth/caller.ts";
import type { Database } from "../db/client.ts";
import { happen } from "./happen.ts";
import { cancelUnpaid } from "./move-queries.ts";
import { refundOrder } from "./refund.ts";
import type { OrderRow } from "./schemas.ts";
import { type Move, moveRefused } from "./transitions.ts";
import type { Effect } from "./write-queries.ts";

/** Cancels an order of the caller's own. */
export function cancelOrder(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  author: Author,
  id: number,
): Promise<OrderRow> {
  const { actor, now } = author;
  const cause = { author, audit: auditedKey(caller, author) };
  return happen(db, { id, caller }, cause, (order) => cancellation(db, order, { actor, now, note: null }));
}

/** What cancels an order that has not been sent: unpaid it just ends, paid the whole money goes back. */
export function cancellation(db: Database, order: OrderRow, move: Move): Effect {
  if (order.status === "pending") return cancelUnpaid(db, order, move);
  if (order.status !== "processing") throw moveRefused(order.status, "cancelled");
  return refundOrder(order, { ...move, what: "all", restock: true, ends: "cancelled" });
}
