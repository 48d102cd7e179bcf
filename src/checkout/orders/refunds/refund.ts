import { toDecimal } from "../../../domain/money.ts";
import { requireRefundPayable } from "../../payments/public.ts";
import type { ItemRow } from "../item-schemas.ts";
import type { OrderRow } from "../schemas.ts";
import { unsentLines } from "../shipments/units.ts";
import { moveRefused, moves, SENT } from "../transitions.ts";
import type { PlannedChange } from "../write-queries.ts";
import { everyUnit, type RefundLines, type RefundRequest, refundableAmount, refundExtent, unitsOf } from "./extent.ts";
import { type Refund, refundWrites } from "./queries.ts";

/** A refund as it is requested, and what becomes of the order and its goods. */
type RequestedRefund = Pick<Refund, "restock" | "ends" | "actor" | "now" | "note"> & { what: RefundRequest };

/**
 * Plans a refund: the only way that money goes back, when a buyer cancels and when an administrator refunds. A wallet is
 * credited at once; a payment provider is asked after the write, and again until it accepts.
 */
export function planRefund(order: OrderRow, { what, ...how }: RequestedRefund): PlannedChange {
  const { ends, restock, note } = how;
  if (!canBeRefunded(order)) throw moveRefused(order, ends);
  const extent = refundExtent(order, what, restock);
  const { lines, amount, shipping, tax } = extent;
  if (order.paymentProvider) requireRefundPayable(order.paymentProvider, amount, order.currency);
  const refundedTotal = order.refundedTotal + amount;
  const isWhole = unitsOf(lines) === unitsOf(everyUnit(order));
  const items = afterRefund(order.items, lines);
  return {
    action: ends === "cancelled" ? "cancel" : "refund",
    statements: refundWrites(order, { ...how, ...extent }),
    becomes: {
      refundedTotal,
      paymentStatus: paymentStatusOf(order, refundedTotal, isWhole),
      ...(isWhole ? { status: ends } : onceSent(order, items)),
    },
    moves: amount,
    note,
    details: {
      refunded_items: lines.map(({ itemId, quantity }) => ({ id: itemId, quantity })),
      refunded_amount: toDecimal(amount),
      ...(shipping > 0 && { refunded_shipping: toDecimal(shipping) }),
      ...(tax > 0 && { refunded_tax: toDecimal(tax) }),
      restock,
    },
  };
}

/** What becomes of an order of which nothing waits any more and a part was sent. */
const onceSent = ({ status, fulfillmentStatus }: OrderRow, items: readonly ItemRow[]): Partial<OrderRow> =>
  status === "processing" && fulfillmentStatus === "partially_fulfilled" && unsentLines(items).length === 0
    ? { status: SENT, fulfillmentStatus: "fulfilled" }
    : {};

/** Only an order that was paid is in a status from which it can become refunded; one that is may have money left. */
export const canBeRefunded = (order: OrderRow): boolean =>
  moves[order.status].includes("refunded") || (order.status === "refunded" && refundableAmount(order) > 0);

function paymentStatusOf({ total, paymentStatus }: OrderRow, refundedTotal: number, isWhole: boolean) {
  if (refundedTotal === total && (total > 0 || isWhole)) return "refunded";
  return refundedTotal === 0 ? paymentStatus : "partially_refunded";
}

const afterRefund = (items: readonly ItemRow[], lines: RefundLines): ItemRow[] =>
  items.map((item) => ({
    ...item,
    refundedQuantity: item.refundedQuantity + (lines.find(({ itemId }) => itemId === item.id)?.quantity ?? 0),
  }));
