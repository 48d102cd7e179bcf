import type { Database } from "../db/client.ts";
import { badRequest } from "../errors.ts";
import type { Claim } from "../idempotency/claim.ts";
import { insertRefund, type Refund } from "./refund-queries.ts";
import type { OrderRow } from "./schemas.ts";
import { moveRefused, moves } from "./transitions.ts";

/** A refund as it is asked for: some units of some lines, or all that is left. */
export type RefundOrder = Pick<Refund, "restock" | "ends" | "actor" | "note" | "now"> & {
  lines: Refund["lines"] | "all";
};

/**
 * Gives money back for an order: the one way there is, for a buyer who cancels and for whoever refunds. A wallet has it at
 * once; a provider is asked after it was written, until it is through. Null says that the order has changed meanwhile.
 */
export async function refundOrder(
  db: Database,
  order: OrderRow,
  ask: RefundOrder,
  claim?: Claim,
): Promise<OrderRow | null> {
  if (order.paidAt === null || moves[order.status].length === 0 || order.status === "expired") {
    throw moveRefused(order.status, ask.ends);
  }
  const lines = ask.lines === "all" ? everyUnit(order) : ask.lines;
  return insertRefund(db, order, { ...ask, lines, amount: amountOf(order, lines) }, claim);
}

const everyUnit = ({ items }: OrderRow): Refund["lines"] =>
  items
    .map(({ id, quantity, refundedQuantity }) => ({ itemId: id, quantity: quantity - refundedQuantity }))
    .filter(({ quantity }) => quantity > 0);

/** What the units cost; with the last of them everything that is left of the total. */
function amountOf(order: OrderRow, lines: Refund["lines"]): number {
  const left = new Map(order.items.map((item) => [item.id, item]));
  let amount = 0;
  for (const [index, { itemId, quantity }] of lines.entries()) {
    const item = left.get(itemId);
    if (!item) throw badRequest({ [`items.${index}.id`]: ["is not a line of this order, or stands here twice"] });
    left.delete(itemId);
    const open = item.quantity - item.refundedQuantity;
    if (quantity > open) throw badRequest({ [`items.${index}.quantity`]: [`only ${open} are left to refund`] });
    amount += quantity * item.unitPrice;
  }
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return units === openUnits(order) ? order.total - order.refundedTotal : amount;
}

const openUnits = ({ items }: OrderRow): number =>
  items.reduce((sum, { quantity, refundedQuantity }) => sum + quantity - refundedQuantity, 0);
