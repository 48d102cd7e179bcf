import { sql } from "drizzle-orm";
import { auditedKey } from "../../platform/audit/entry.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { countStoredBytes } from "../../platform/storage-limit/queries.ts";
import { applyOrderChange, cancelUnpaid, type PlannedChange } from "./change.ts";
import { planRefund } from "./refunds/refund.ts";
import type { OrderRow } from "./schemas.ts";
import { type Move, moveRefused, openMoves } from "./transitions.ts";

/** Bytes that a cancelled order occupies: its rows, and about as much again in indexes. */
const bytesOf = (order: OrderRow) => sql`${2 * JSON.stringify(order).length}`;

/** Cancels one of the caller's own orders. */
export function cancelOrder(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  author: Author,
  id: number,
): Promise<OrderRow> {
  const { actor, now } = author;
  const changeAuthor = { author, audit: auditedKey(caller, author) };
  return applyOrderChange(db, { id, caller }, changeAuthor, (order) => {
    const plan = planCancellation(db, order, { actor, now, note: null });
    return { ...plan, statements: [...plan.statements, ...countStoredBytes(author, bytesOf(order))] };
  });
}

/** Plans the cancellation of an order that has not been shipped. A paid order is refunded in full. */
export function planCancellation(db: Database, order: OrderRow, move: Move): PlannedChange {
  if (order.status === "pending") return cancelUnpaid(db, order, move);
  if (!openMoves(order).includes("cancelled")) throw moveRefused(order, "cancelled");
  return planRefund(order, { ...move, what: "all", restock: true, ends: "cancelled" });
}
