import { type SQL, sql } from "drizzle-orm";
import { toDecimal } from "../../../domain/money.ts";
import { versionAfter } from "../../../platform/db/precondition.ts";
import { requireRefundPayable } from "../../payments/public.ts";
import type { PlannedChange } from "../change.ts";
import type { ItemRow, OrderRow } from "../schemas.ts";
import { endSending } from "../shipments/plan.ts";
import { unsentLines } from "../shipments/units.ts";
import { type Move, moveRefused, moves, SENT } from "../transitions.ts";
import {
  everyUnit,
  type RefundExtent,
  type RefundLines,
  type RefundRequest,
  refundableAmount,
  refundExtent,
  unitsOf,
} from "./extent.ts";

/** A requested refund, and what happens to the order and its goods. */
type RequestedRefund = Pick<Refund, "restock" | "ends" | "actor" | "now" | "note"> & { what: RefundRequest };

/**
 * Plans a refund, the only way money is returned, by a buyer's cancellation or an administrator's refund. A wallet is
 * credited immediately. A payment provider is asked after the write, and again until it accepts.
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

/** Status of a partly shipped order once nothing is left to ship. */
const onceSent = ({ status, fulfillmentStatus }: OrderRow, items: readonly ItemRow[]): Partial<OrderRow> =>
  status === "processing" && fulfillmentStatus === "partially_fulfilled" && unsentLines(items).length === 0
    ? { status: SENT, fulfillmentStatus: "fulfilled" }
    : {};

/** Only paid orders have a status that can become refunded. A refunded order may still have money left to refund. */
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

/** A refund, and whether its units are restocked. */
type Refund = Move &
  RefundExtent & {
    restock: boolean;
    /** The order's final status: cancelled, or refunded once every unit is. */
    ends: "cancelled" | "refunded";
  };

/**
 * Statements of a refund and its consequences. The database refuses more units than were sold and more money than was paid,
 * revokes the units' packages and releases a cancelled order's stock.
 */
const refundWrites = (order: OrderRow, refund: Refund): SQL[] => [
  refundUnits(order, refund),
  releaseStock(refund),
  updateRefundedTotal(order, refund),
  endOrder(order, refund),
  endSending(order),
  creditRefund(order, refund),
  ...(order.paymentProvider ? [queueRefund(order, refund)] : []),
];

const linesOf = ({ lines }: Refund): SQL =>
  sql`json_each(${JSON.stringify(lines.map(({ itemId, quantity }) => [itemId, quantity]))}) AS line`;

const refundUnits = (order: OrderRow, refund: Refund): SQL => sql`
  UPDATE order_items SET refunded_quantity = refunded_quantity + (line.value ->> 1)
  FROM ${linesOf(refund)} WHERE order_items.id = line.value ->> 0 AND order_items.order_id = ${order.id}`;

/** Restocks refunded units or writes them off, if stock was managed when they were sold. */
const releaseStock = (refund: Refund): SQL => sql`
  UPDATE stock_allocations SET quantity = quantity - of_held, sent = sent - of_sent,
    written_off = written_off + CASE WHEN ${refund.restock} THEN 0 ELSE of_held + of_sent END
  FROM (
    SELECT order_item_id AS item, min(quantity, line.value ->> 1) AS of_held,
      min(sent, (line.value ->> 1) - min(quantity, line.value ->> 1)) AS of_sent
    FROM ${linesOf(refund)} JOIN stock_allocations ON order_item_id = line.value ->> 0
  )
  WHERE order_item_id = item`;

const everyUnitIsRefunded = sql`
  NOT EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id AND refunded_quantity < quantity)`;

/** `payment_status` follows the money: refunding units that cost nothing leaves a paid order paid. */
const updateRefundedTotal = (order: OrderRow, { amount, shipping, tax, actor, note, now }: Refund): SQL => sql`
  UPDATE orders SET refunded_total = refunded_total + ${amount}, refunded_shipping = refunded_shipping + ${shipping},
    refunded_tax = refunded_tax + ${tax},
    payment_status = CASE
      WHEN refunded_total + ${amount} = total AND (total > 0 OR ${everyUnitIsRefunded}) THEN 'refunded'
      WHEN refunded_total + ${amount} > 0 THEN 'partially_refunded'
      ELSE payment_status
    END,
    updated_at = ${versionAfter(now)}, updated_by = ${actor}, note = ${note}
  WHERE id = ${order.id}`;

const endOrder = (order: OrderRow, { ends }: Refund): SQL => sql`
  UPDATE orders SET status = ${ends} WHERE id = ${order.id} AND status <> ${ends} AND ${everyUnitIsRefunded}`;

const creditRefund = (order: OrderRow, { amount, note, now }: Refund): SQL => sql`
  INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, balance_after, note, created_at)
  SELECT orders.user_id, api_key_id, orders.id, 'refund', payment_method, ${amount},
    CASE payment_method WHEN 'wallet' THEN wallet_balance + ${amount} END, ${note}, ${now}
  FROM orders LEFT JOIN users ON users.id = orders.user_id WHERE orders.id = ${order.id} AND ${amount} > 0`;

const queueRefund = (order: OrderRow, { amount, now }: Refund): SQL => sql`
  INSERT INTO refunds (order_id, payment, amount, created_at)
  SELECT id, payment_reference, ${amount}, ${now} FROM orders WHERE id = ${order.id} AND ${amount} > 0`;
