import { eq, type SQL, sql } from "drizzle-orm";
import { type ApiError, badRequest, conflict, fieldError, notFound } from "../../domain/errors.ts";
import { toDecimal } from "../../domain/money.ts";
import { countSpending, spendingRefused } from "../../platform/administration/spending-queries.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { difference, type Entry } from "../../platform/audit/entry.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { Database } from "../../platform/db/client.ts";
import { merge, nextVersion, unchanged, versionAfter } from "../../platform/db/precondition.ts";
import { orders } from "../../platform/db/schema.ts";
import { isViolation, translateViolations } from "../../platform/db/violation.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { type Writer, writeOnce } from "../../platform/idempotency/queries.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";
import { payOrder } from "../payments/public.ts";
import type { PricedOrder } from "./checkout/price-order.ts";
import { findWhichOrder, orderSnapshot, type WhichOrder } from "./orders.ts";
import type { OrderRow } from "./schemas.ts";
import { type ShipmentRow, toShipment } from "./shipments/schemas.ts";
import { type Move, paidStatus, SENT } from "./transitions.ts";

/** Reads an order, plans a change of it, and writes the change unless the order was changed in between. */
export async function applyOrderChange(
  db: Database,
  which: WhichOrder,
  author: ChangeAuthor,
  decide: (order: OrderRow) => PlannedChange,
): Promise<OrderRow> {
  const order = await findWhichOrder(db, which);
  if (!order) throw notFound(`Order ${which.id}`);
  const changed = await writeChange(db, order, decide(order), author);
  if (changed) return changed;
  throw editedMeanwhile.row_changed();
}

/** A change of an order before it is written, with its statements. */
export type PlannedChange = AuditedChange & {
  statements: SQL[];
  /** Minor units that it moves; null for a change that moves none. */
  moves: number | null;
};

/** Two changes of an order as one, which is called as the second. */
export const together = (first: PlannedChange, second: PlannedChange): PlannedChange => ({
  ...second,
  statements: [...first.statements, ...second.statements],
  becomes: { ...first.becomes, ...second.becomes },
});

/** Whose request a change is, and who is audited for it, if anybody is. */
type ChangeAuthor = { author: Author; audit: Author | null };

/**
 * Writes to one order and reads it, as one batch: everything is written, or nothing is. The guards stand in the database
 * (src/platform/db/guards); null says that one of them refused for which `refusals` has no error.
 */
export async function writeOrder(
  db: Database,
  number: string,
  author: Writer,
  writes: readonly SQL[],
  refusals: Record<string, () => ApiError> = {},
): Promise<OrderRow | null> {
  try {
    return await translateViolations(writeOnce<OrderRow>(db, author, writes, orderSnapshot(number)), refusals);
  } catch (error) {
    if (isViolation(error)) return null;
    throw error;
  }
}

/** Writes a planned change with its audit entry. Null says that the order has changed since it was read. */
const writeChange = (db: Database, order: OrderRow, change: PlannedChange, { author, audit }: ChangeAuthor) =>
  writeOrder(db, order.number, author, changeWrites(order, change, audit), {
    ...refusals,
    ...(audit && spendingRefused(audit)),
  });

/** The statements of a planned change, for the batch that makes it, alone or among others; none for one that changes nothing. */
export function changeWrites(order: OrderRow, change: PlannedChange, audit: Author | null): SQL[] {
  const entry = changeEntry(order, change);
  if (change.action === "update" && Object.keys(entry.after ?? {}).length === 0) return [];
  return [
    unchanged("orders", order),
    ...(audit && change.moves !== null ? countSpending(audit, change.moves) : []),
    ...change.statements,
    ...(audit ? [auditEntry(audit, entry, order.id)] : []),
  ];
}

const discountGone = () =>
  badRequest(
    fieldError("payment_status", "discount_used_up", "cannot become paid any more: its discount was used up meanwhile"),
  );

const refusals = {
  downloads_used: () =>
    conflict(
      "downloads_used",
      "A download of this order was used, so it cannot be cancelled. The shop can refund it",
      fieldError("status", "move_not_allowed", "can become refunded, but not cancelled", { allowed: ["refunded"] }),
    ),
  stock_not_negative: () => conflict("stock_gone", "The order cannot be paid because its stock has been sold"),
  discount_used_up: discountGone,
  discount_used_by_customer: discountGone,
};

// The fields of orders in the audit log, named as in requests. The buyer is in the order itself.

/** `shipment` is the place of the one that the change makes or corrects. */
const auditedState = (order: OrderRow, shipment: number) => ({
  status: order.status,
  payment_status: order.paymentStatus,
  fulfillment_status: order.fulfillmentStatus,
  refunded_total: toDecimal(order.refundedTotal),
  shipping_address: order.shippingAddress,
  billing_address: order.billingAddress,
  shipment: auditedShipment(order.shipments[shipment]),
});

const auditedShipment = (shipment: ShipmentRow | undefined) => {
  if (!shipment) return null;
  const { carrier, tracking_number, tracking_url, items } = toShipment(shipment);
  return { carrier, tracking_number, tracking_url, items };
};

/** What the audit log tells of a change: what it is, the columns that it sets, and details beside the order's own state. */
type AuditedChange = {
  action: "update" | "mark_paid" | "ship" | "complete" | "cancel" | "refund";
  becomes: Partial<OrderRow>;
  note: string | null;
  details?: Record<string, unknown>;
};

/** The audit entry of a changed order: its state before and after, and the note. */
function changeEntry(order: OrderRow, { action, becomes, details, note }: AuditedChange): Entry {
  const shipment = becomes.shipments?.findIndex((each, place) => each !== order.shipments[place]) ?? -1;
  const { before, after } = difference(auditedState(order, shipment), auditedState(merge(order, becomes), shipment));
  return { action, subject: "order", before, after: { ...after, ...details, ...(note !== null && { note }) } };
}

/** The audit entry of a placed order. */
export const placementEntry = ({ number, total, paymentMethod, lines }: PricedOrder): Entry => ({
  action: "create",
  subject: "order",
  before: null,
  after: {
    number,
    total: toDecimal(total),
    payment_method: paymentMethod,
    items: lines.map(({ productId, quantity, unitPrice }) => ({
      product_id: productId,
      quantity,
      price: toDecimal(unitPrice),
    })),
  },
});

/** Plans a change that only sets columns of the order. */
function planChange(
  db: Database,
  order: OrderRow,
  action: PlannedChange["action"],
  becomes: PlannedChange["becomes"],
  move: Move,
): PlannedChange {
  const { actor, now, note } = move;
  const update = db
    .update(orders)
    .set({ ...becomes, updatedAt: nextVersion(order, now), updatedBy: actor, note })
    .where(eq(orders.id, order.id));
  return { action, statements: [update.getSQL()], becomes, moves: null, note };
}

/** Ends an order that was not paid. One that was paid meanwhile violates `order_keeps_no_money_when_it_ends`. */
export const cancelUnpaid = (db: Database, order: OrderRow, move: Move) =>
  planChange(
    db,
    order,
    "cancel",
    { status: "cancelled", paymentStatus: "unpaid", paymentUrl: null, expiresAt: null },
    move,
  );

/** Marks an order as sent, or a part of it. */
export const sendOrder = (db: Database, order: OrderRow, isWhole: boolean, move: Move) =>
  planChange(
    db,
    order,
    "ship",
    isWhole ? { status: SENT, fulfillmentStatus: "fulfilled" } : { fulfillmentStatus: "partially_fulfilled" },
    move,
  );

/** Completes an order: what was not shipped was handed over. */
export const completeOrder = (db: Database, order: OrderRow, move: Move) =>
  planChange(db, order, "complete", { status: "completed", fulfillmentStatus: "fulfilled" }, move);

/** Corrects an order's addresses and leaves its status as it is. */
export const editOrder = (
  db: Database,
  order: OrderRow,
  becomes: Partial<Pick<OrderRow, "shippingAddress" | "billingAddress">>,
  move: Move,
) => planChange(db, order, "update", becomes, move);

/** Marks an order as paid by hand. The wallet pays at once, so no order that waits would charge it. */
export const markPaid = (order: OrderRow, move: Move): PlannedChange => ({
  action: "mark_paid",
  statements: [payOrder(order.number, { ...move, reference: null })],
  becomes: { status: paidStatus(order), paymentStatus: "paid" },
  moves: order.total,
  note: move.note,
});

/** How many orders one statement ends. */
const EXPIRED_AT_ONCE = 500;

/** Ends the orders that were not paid in time; each releases its own stock. */
export const expireOrders = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "expire_orders",
    id: sql`orders.id`,
    atOnce: EXPIRED_AT_ONCE,
    due: (which) => sql`
      SELECT id FROM orders WHERE status = 'pending' AND expires_at <= ${now} AND ${which} LIMIT ${EXPIRED_AT_ONCE}`,
    write: (ids) => sql`
      UPDATE orders SET status = 'expired', payment_status = 'unpaid', payment_url = NULL, updated_at = ${versionAfter(now)},
        updated_by = 'system', note = 'Not paid in time'
      WHERE id IN (${ids}) RETURNING 1`,
  });
