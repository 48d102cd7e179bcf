import { and, eq, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { toDecimal } from "../../../domain/money.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import {
  orderItems,
  orders,
  refunds,
  returns,
  stockAllocations,
  transactions,
  users,
} from "../../../platform/db/schema.ts";
import { insertSelected, versionAfter } from "../../../platform/db/statements.ts";
import { requireRefundPayable } from "../../payments/public.ts";
import type { OrderStep, PlannedChange } from "../change.ts";
import type { ItemRow, OrderRow } from "../schemas.ts";
import { endSending } from "../shipments/plan.ts";
import { unsentLines } from "../shipments/units.ts";
import { moveRefused, moves, SENT } from "../transitions.ts";
import {
  everyUnit,
  type RefundExtent,
  type RefundLines,
  type RefundRequest,
  refundableAmount,
  refundExtent,
  unitsOf,
} from "./extent.ts";

/** A requested refund, and its effect on the order and its goods. */
type RequestedRefund = Omit<Refund, keyof RefundExtent> & { what: RefundRequest };

/**
 * Plans a refund, the only way to return money, by a buyer's cancellation or an administrator's refund. A wallet is
 * credited immediately. A payment provider is called after the write, and again until it accepts.
 */
export function planRefund(ctx: AuthorContext, { what, ...how }: RequestedRefund): PlannedChange {
  const { order, ends, restock, note } = how;
  if (!canBeRefunded(order)) throw moveRefused(order, ends);
  const extent = refundExtent(order, what, restock);
  const { lines, amount, shipping, tax } = extent;
  if (order.paymentProvider) requireRefundPayable(order.paymentProvider, providerShare(order, amount), order.currency);
  const refundedTotal = order.refundedTotal + amount;
  const isWhole = unitsOf(lines) === unitsOf(everyUnit(order));
  const items = afterRefund(order.items, lines);
  return {
    action: ends === "cancelled" ? "cancel" : "refund",
    statements: [...(isWhole ? [settleReturns(ctx, order)] : []), ...refundWrites(ctx, { ...how, ...extent })],
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
  order.paidAt !== null &&
  (moves[order.status].includes("refunded") || (order.status === "refunded" && refundableAmount(order) > 0));

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
type Refund = OrderStep &
  RefundExtent & {
    restock: boolean;
    /** The order's final status: cancelled, or refunded once every unit is. */
    ends: "cancelled" | "refunded";
    /** The provider's id of a lost dispute, by which the money was returned already. */
    dispute?: string;
  };

/**
 * Statements of a refund and its consequences. The database refuses more units than were sold and more money than was paid,
 * revokes the units' packages and releases a cancelled order's stock.
 */
const refundWrites = (ctx: AuthorContext, refund: Refund): SQL[] => [
  refundUnits(ctx, refund),
  releaseStock(ctx, refund),
  updateRefundedTotal(ctx, refund),
  endOrder(ctx, refund),
  endSending(ctx, refund.order),
  recordMoney(ctx, refund),
  ...(refund.order.paymentProvider ? [queueRefund(ctx, refund)] : []),
];

/** Settles the open returns of an order whose last units are refunded. */
const settleReturns = ({ db, author: { now } }: AuthorContext, { id }: OrderRow): SQL =>
  db
    .update(returns)
    .set({ status: "settled", updatedAt: versionAfter(now) })
    .where(and(eq(returns.orderId, id), notInArray(returns.status, ["settled", "declined"])))
    .getSQL();

/** Each line with its id, units and restocked units. */
const linesOf = ({ lines, restock }: Refund): SQL =>
  sql`json_each(${JSON.stringify(
    lines.map(({ itemId, quantity, restocked = restock ? quantity : 0 }) => [itemId, quantity, restocked]),
  )}) AS line`;

const refundUnits = ({ db }: Pick<WriteContext, "db">, refund: Refund): SQL =>
  db
    .update(orderItems)
    .set({ refundedQuantity: sql`${orderItems.refundedQuantity} + (line.value ->> 1)` })
    .from(linesOf(refund))
    .where(and(sql`${orderItems.id} = line.value ->> 0`, eq(orderItems.orderId, refund.order.id)))
    .getSQL();

/** Restocks refunded units or writes them off, if stock was managed when they were sold. */
function releaseStock({ db }: Pick<WriteContext, "db">, refund: Refund): SQL {
  const { orderItemId, quantity, sent, writtenOff } = stockAllocations;
  const released = sql`(
    SELECT ${orderItemId} AS item, min(${quantity}, line.value ->> 1) AS of_held,
      min(${sent}, (line.value ->> 1) - min(${quantity}, line.value ->> 1)) AS of_sent, line.value ->> 2 AS restocked
    FROM ${linesOf(refund)} JOIN ${stockAllocations} ON ${orderItemId} = line.value ->> 0
  )`;
  return db
    .update(stockAllocations)
    .set({
      quantity: sql`${quantity} - of_held`,
      sent: sql`${sent} - of_sent`,
      writtenOff: sql`${writtenOff} + max(0, of_held + of_sent - restocked)`,
    })
    .from(released)
    .where(sql`${orderItemId} = item`)
    .getSQL();
}

const everyUnitIsRefunded = sql`NOT EXISTS (SELECT 1 FROM ${orderItems}
  WHERE ${orderItems.orderId} = ${orders.id} AND ${orderItems.refundedQuantity} < ${orderItems.quantity})`;

/** `payment_status` follows the money: refunding units that cost nothing leaves a paid order paid. */
function updateRefundedTotal(
  { db, author: { actor, now } }: AuthorContext,
  { order, amount, shipping, tax, note }: Refund,
): SQL {
  const { total, refundedTotal, refundedShipping, refundedTax, paymentStatus } = orders;
  return db
    .update(orders)
    .set({
      refundedTotal: sql`${refundedTotal} + ${amount}`,
      refundedShipping: sql`${refundedShipping} + ${shipping}`,
      refundedTax: sql`${refundedTax} + ${tax}`,
      paymentStatus: sql`CASE
        WHEN ${refundedTotal} + ${amount} = ${total} AND (${total} > 0 OR ${everyUnitIsRefunded}) THEN 'refunded'
        WHEN ${refundedTotal} + ${amount} > 0 THEN 'partially_refunded'
        ELSE ${paymentStatus}
      END`,
      updatedAt: versionAfter(now),
      updatedBy: actor,
      note,
    })
    .where(eq(orders.id, order.id))
    .getSQL();
}

const endOrder = ({ db }: Pick<WriteContext, "db">, { order, ends }: Refund): SQL =>
  db
    .update(orders)
    .set({ status: ends })
    .where(and(eq(orders.id, order.id), ne(orders.status, ends), everyUnitIsRefunded))
    .getSQL();

/** Records money of an order that was refunded, or received if `amount` is negative. A wallet's balance follows. */
export const recordMoney = (
  { author: { now } }: Pick<WriteContext, "author">,
  { order, amount, note }: Pick<Refund, "order" | "amount" | "note">,
): SQL =>
  insertSelected(
    transactions,
    {
      userId: orders.userId,
      apiKeyId: orders.apiKeyId,
      orderId: orders.id,
      kind: amount < 0 ? "charge" : "refund",
      method: orders.paymentMethod,
      amount,
      balanceAfter: sql`CASE ${orders.paymentMethod} WHEN 'wallet' THEN ${users.walletBalance} + ${amount} END`,
      note,
      createdAt: now,
    },
    sql`FROM ${orders} LEFT JOIN ${users} ON ${users.id} = ${orders.userId} WHERE ${orders.id} = ${order.id} AND ${amount} <> 0`,
  );

/** The part of a refund that the provider pays. The rest of an edited order's payment was received by hand. */
export const providerShare = (order: OrderRow, amount: number): number =>
  Math.min(amount, Math.max(0, refundableAmount(order) - order.receivedByHand));

export const queueRefund = (
  { author: { now } }: Pick<WriteContext, "author">,
  { order, amount, dispute: reference = null }: Pick<Refund, "order" | "amount"> & { dispute?: string | null },
): SQL => {
  const share = providerShare(order, amount);
  return insertSelected(
    refunds,
    { orderId: orders.id, payment: sql`${orders.paymentReference}`, amount: share, reference, createdAt: now },
    sql`FROM ${orders} WHERE ${orders.id} = ${order.id} AND ${share} > 0`,
  );
};
