import { type ApiKeyCaller, nameOf, type UserCaller } from "../auth/caller.ts";
import type { Database } from "../db/client.ts";
import { conflict, notFound } from "../errors.ts";
import type { Claim } from "../idempotency/claim.ts";
import { cancelUnpaid, hasUsedDownloads, type Move } from "./move-queries.ts";
import { findOrder } from "./queries.ts";
import { refundOrder } from "./refund.ts";
import { type Outcome, replayed } from "./replay.ts";
import type { OrderRow } from "./schemas.ts";
import { moveRefused } from "./transitions.ts";

/** Cancels an order that has not been sent: unpaid it just ends, paid the whole money goes back. */
export async function cancelOrder(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  id: number,
  claim: Claim | undefined,
): Promise<Outcome> {
  const now = Date.now();
  const earlier = await replayed(db, claim, now);
  if (earlier) return earlier;
  const order = await findOrder(db, caller, id);
  if (!order) throw notFound(`Order ${id}`);
  const cancelled = await cancel(db, order, { actor: nameOf(caller), now }, claim);
  if (cancelled) return { order: cancelled, replayed: false };
  const again = await replayed(db, claim, now);
  if (again) return again;
  if (await hasUsedDownloads(db, id)) throw conflict("A download of this order was used: ask the shop for a refund");
  throw conflict("The order was changed in the same instant: look at it again");
}

function cancel(db: Database, order: OrderRow, move: Move, claim: Claim | undefined) {
  if (order.status === "pending") return cancelUnpaid(db, order, move, claim);
  if (order.status !== "processing") throw moveRefused(order.status, "cancelled");
  return refundOrder(db, order, { ...move, lines: "all", restock: true, ends: "cancelled", note: null }, claim);
}
