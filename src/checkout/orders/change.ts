import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { badRequest, conflict, externalIdTaken, fieldError, requireFound } from "../../domain/errors.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { countSpending, spendingRefused } from "../../platform/auth/author-limits.ts";
import type { Author, AuthorContext, WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { orderItems, orders, stockAllocations } from "../../platform/db/schema.ts";
import {
  nextVersion,
  type Refusals,
  translateViolations,
  unchanged,
  versionAfter,
} from "../../platform/db/statements.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";
import { type InvoiceMoment, issueInvoice } from "../invoices/public.ts";
import { payOrder } from "../payments/public.ts";
import { type AuditedChange, changeEntry } from "./audit.ts";
import { findOrderForUpdate, orderSnapshot, type WhichOrder } from "./orders.ts";
import { isOutdated } from "./outdated.ts";
import type { OrderRow } from "./schemas.ts";
import { hasLeft, paidStatus, SENT } from "./transitions.ts";

/** `audit` is the author named in the audit log. Null if the change is not audited. */
type DecidedChange = { which: WhichOrder; audit: Author | null; decide: (order: OrderRow) => PlannedChange };

/** Reads an order, plans a change and writes it with its audit entry, unless the order changed in the meantime. */
export async function applyOrderChange(ctx: AuthorContext, { which, audit, decide }: DecidedChange): Promise<OrderRow> {
  const order = await requireFound(findOrderForUpdate(ctx.db, which), `Order ${which.id}`);
  const change = decide(order);
  const changed = await writeOrder(ctx, {
    reference: order.reference,
    writes: orderChangeWrites(order, change, audit),
    refusals: { ...refusals, ...spendingRefusals(ctx.db, change, audit) },
  });
  if (changed) return changed;
  throw editedMeanwhile.row_changed();
}

/** An order change and its statements, before it is written. */
export type PlannedChange = AuditedChange & {
  statements: SQL[];
  /** The moment for the order's first invoice, if the change is one. */
  invoices?: InvoiceMoment;
  /** Amount of money moved and value given away, in minor units. Null if the change does neither. */
  moves: number | null;
};

/** Combines two changes of an order into one, audited under the second's action. */
export const together = (first: PlannedChange, second: PlannedChange): PlannedChange => ({
  ...second,
  statements: [...first.statements, ...second.statements],
  becomes: { ...first.becomes, ...second.becomes },
});

type OrderWrites = { reference: string; writes: readonly SQL[]; refusals?: Refusals };

/**
 * Writes to an order and reads it in one batch, all or nothing. Guards in the database (guards.sql) may refuse
 * it. Returns null if the order was written with outdated data, and throws the violation of any other guard without an error
 * in `refusals`.
 */
export async function writeOrder(
  { db, author }: AuthorContext,
  { reference, writes, refusals = {} }: OrderWrites,
): Promise<OrderRow | null> {
  try {
    return await translateViolations(
      writeOnce<OrderRow>({ db, author }, { writes, answer: orderSnapshot(reference) }),
      refusals,
    );
  } catch (error) {
    if (isOutdated(error)) return null;
    throw error;
  }
}

/** Returns the statements of a planned change, for a batch. Empty for a change that changes nothing. */
export function orderChangeWrites(order: OrderRow, change: PlannedChange, audit: Author | null): SQL[] {
  const entry = changeEntry(order, change);
  if (["update", "edit"].includes(change.action) && Object.keys(entry.after ?? {}).length === 0) return [];
  return [
    unchanged("orders", order),
    ...(audit && change.moves !== null ? countSpending({ author: audit, amount: change.moves }) : []),
    ...change.statements,
    issueInvoice(order.reference, change.invoices ?? null),
    ...(audit ? [auditEntry({ author: audit }, entry)] : []),
  ];
}

/** Errors of a change that exceeds the limits of staff. */
export const spendingRefusals = (db: Database, { moves }: PlannedChange, audit: Author | null): Refusals =>
  audit ? spendingRefused({ db, author: audit, amount: moves ?? 0 }) : {};

const discountGone = () =>
  badRequest(
    fieldError("payment_status", "discount_used_up", "can no longer be paid, because its discount has been used up"),
  );

export const giftCardInUse = () =>
  conflict(
    "gift_card_in_use",
    "The amount includes gift cards that were redeemed or are still valid. Refund unredeemed units, or disable a card to refund its balance",
  );

/** The error of marking an order of a renewing product as paid. */
export const renewalNotPossible = () =>
  badRequest(
    fieldError(
      "payment_status",
      "not_applicable",
      "cannot be set by hand for a product that renews. The order is paid when its buyer subscribes with a card",
    ),
  );

/** The refusal of an `external_id` that another order has. */
export const externalIdRefused = { "orders.external_id, orders.sandbox": externalIdTaken };

const refusals = {
  ...externalIdRefused,
  renewal_not_possible: renewalNotPossible,
  downloads_used: () =>
    conflict(
      "downloads_used",
      "A download or license key of this order was used, so it cannot be cancelled. The shop can refund it",
      fieldError("status", "move_not_allowed", "can become refunded, but not cancelled", { allowed: ["refunded"] }),
    ),
  gift_card_in_use: giftCardInUse,
  stock_not_negative: () => conflict("stock_gone", "The order cannot be paid because its stock has been sold"),
  units_in_return: () =>
    conflict(
      "units_in_return",
      "These units are in an open return. Settle or decline it first",
      fieldError("items", "units_in_return", "are in an open return"),
    ),
  discount_used_up: discountGone,
  discount_used_by_customer: discountGone,
};

/** An order to change, and the note for its history. */
export type OrderStep = { order: OrderRow; note: string | null };

/** Plans a change that only sets columns of the order. */
function planChange(
  { db, author: { actor, now } }: AuthorContext,
  { order, note, action, becomes, invoices = null }: OrderStep & Pick<PlannedChange, "action" | "becomes" | "invoices">,
): PlannedChange {
  const update = db
    .update(orders)
    .set({ ...becomes, updatedAt: nextVersion(order, now), updatedBy: actor, note })
    .where(eq(orders.id, order.id));
  return { action, statements: [update.getSQL()], becomes, moves: null, note, invoices };
}

/**
 * Cancels an unpaid order. If it was paid in the meantime, `order_keeps_no_money_when_it_ends` refuses the cancellation. Units
 * that were sent return to the stock or are written off; the database releases the others.
 */
export function cancelUnpaid(
  ctx: AuthorContext,
  { restock, ...step }: OrderStep & { restock: boolean },
): PlannedChange {
  const plan = planChange(ctx, {
    ...step,
    action: "cancel",
    becomes: { status: "cancelled", paymentStatus: "unpaid", paymentUrl: null, expiresAt: null, unpaidFrom: null },
  });
  if (!hasLeft(step.order)) return plan;
  return {
    ...plan,
    // Goods that stay away are given away. Those that staff say came back count too, because nobody can check it.
    moves: step.order.total,
    statements: [endSent(ctx, { order: step.order, restock }), ...plan.statements],
    details: { restock },
  };
}

/** Returns the units of an order that were sent to the stock, or writes them off. */
const endSent = (
  { db }: Pick<WriteContext, "db">,
  { order, restock }: Pick<OrderStep, "order"> & { restock: boolean },
): SQL =>
  db
    .update(stockAllocations)
    .set({ sent: 0, ...(!restock && { writtenOff: sql`${stockAllocations.writtenOff} + ${stockAllocations.sent}` }) })
    .where(
      inArray(
        stockAllocations.orderItemId,
        db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, order.id)),
      ),
    )
    .getSQL();

/** Marks an order as shipped, in whole or in part. */
export const sendOrder = (ctx: AuthorContext, { isWhole, ...step }: OrderStep & { isWhole: boolean }) =>
  planChange(ctx, {
    ...step,
    action: "ship",
    becomes: isWhole ? { status: SENT, fulfillmentStatus: "fulfilled" } : { fulfillmentStatus: "partially_fulfilled" },
    invoices: "shipment",
  });

/** Completes an order. Anything not shipped counts as handed over. */
export const completeOrder = (ctx: AuthorContext, step: OrderStep) =>
  planChange(ctx, {
    ...step,
    action: "complete",
    becomes: { status: "completed", fulfillmentStatus: "fulfilled" },
    invoices: "shipment",
  });

/** Issues the order's invoice by hand. */
export const invoiceOrder = (ctx: AuthorContext, step: OrderStep) =>
  planChange(ctx, { ...step, action: "invoice", becomes: {}, invoices: "manual" });

/** Corrects an order's addresses without changing its status. */
export const editOrder = (
  ctx: AuthorContext,
  edit: OrderStep & { becomes: Partial<Pick<OrderRow, "shippingAddress" | "billingAddress">> },
) => planChange(ctx, { ...edit, action: "update" });

/**
 * Marks an order as paid manually. The wallet is never charged, because wallet orders are paid immediately and never wait.
 */
export const markPaid = (ctx: AuthorContext, { order, note }: OrderStep): PlannedChange => ({
  action: "mark_paid",
  statements: [payOrder(ctx, { reference: order.reference, note, paymentReference: null })],
  becomes: { status: paidStatus(order), paymentStatus: "paid" },
  moves: order.total,
  note,
  invoices: "payment",
});

const unpaidInTime = { status: "expired", paymentStatus: "unpaid", paymentUrl: null, unpaidFrom: null } as const;

/** Expires a test order as if the time to pay it had passed, the only time that such an order depends on. */
export const expireEarly = (ctx: AuthorContext, { order, note }: OrderStep) =>
  planChange(ctx, { order, note, action: "expire", becomes: unpaidInTime });

/** Maximum number of orders that one statement expires. */
const EXPIRED_AT_ONCE = 500;

/** Expires the orders that were not paid in time. Each releases its own stock. */
export const expireOrders = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "expire_orders",
    id: orders.id,
    where: and(eq(orders.status, "pending"), lte(orders.expiresAt, now)),
    atOnce: EXPIRED_AT_ONCE,
    write: (ids) =>
      db
        .update(orders)
        .set({
          ...unpaidInTime,
          updatedAt: versionAfter(now),
          updatedBy: "system",
          note: "Not paid in time",
        })
        .where(sql`${orders.id} IN (${ids})`)
        .returning({ done: sql`1` })
        .getSQL(),
  });
