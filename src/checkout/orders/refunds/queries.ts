import { type SQL, sql } from "drizzle-orm";
import { versionAfter } from "../../../platform/db/precondition.ts";
import type { OrderRow } from "../schemas.ts";
import { endSending } from "../shipments/queries.ts";
import type { Move } from "../transitions.ts";
import type { RefundExtent } from "./extent.ts";

/** A refund, and whether its units return to the stock. */
export type Refund = Move &
  RefundExtent & {
    restock: boolean;
    /** What the order becomes: cancelled, or refunded once every unit is. */
    ends: "cancelled" | "refunded";
  };

/**
 * The statements of a refund and of its consequences. The database refuses more units than were sold and more money than
 * was paid, takes the units' packages back and releases a cancelled order's stock.
 */
export const refundWrites = (order: OrderRow, refund: Refund): SQL[] => [
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

/** Returns refunded units to the stock, or writes them off, as far as the stock was managed when they were sold. */
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

/** `payment_status` follows the money: units that cost nothing leave a paid order paid. */
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
