import { badRequest } from "../errors.ts";
import { toDecimal } from "../money.ts";
import { type Refund, refundWrites } from "./refund-queries.ts";
import type { OrderRow } from "./schemas.ts";
import { moveRefused, openMoves } from "./transitions.ts";
import type { Effect } from "./write-queries.ts";

/** A refund as it is asked for: some units of some lines, or all that is left. */
export type RefundOrder = Omit<Refund, "lines" | "amount"> & { lines: Refund["lines"] | "all" };

/**
 * Gives money back for an order: the one way there is, for a buyer who cancels and for whoever refunds. A wallet has it at
 * once; a provider is asked after it was written, until it is through.
 */
export function refundOrder(order: OrderRow, ask: RefundOrder): Effect {
  const { ends, restock, note } = ask;
  if (order.paidAt === null || openMoves(order.status).length === 0) throw moveRefused(order.status, ends);
  const lines = ask.lines === "all" ? everyUnit(order) : ask.lines;
  const amount = amountOf(order, lines);
  const isWhole = unitsOf(lines) === unitsOf(everyUnit(order));
  return {
    action: ends === "cancelled" ? "cancel" : "refund",
    statements: refundWrites(order, { ...ask, lines, amount }),
    becomes: {
      refundedTotal: order.refundedTotal + amount,
      ...(isWhole ? { paymentStatus: "refunded", status: ends } : { paymentStatus: "partially_refunded" }),
    },
    movesMoney: true,
    note,
    details: {
      refunded_items: lines.map(({ itemId, quantity }) => ({ id: itemId, quantity })),
      refunded_amount: toDecimal(amount),
      restock,
    },
  };
}

const everyUnit = ({ items }: OrderRow): Refund["lines"] =>
  items
    .map(({ id, quantity, refundedQuantity }) => ({ itemId: id, quantity: quantity - refundedQuantity }))
    .filter(({ quantity }) => quantity > 0);

const unitsOf = (lines: Refund["lines"]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

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
  return unitsOf(lines) === unitsOf(everyUnit(order)) ? order.total - order.refundedTotal : amount;
}
