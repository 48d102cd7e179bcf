import { eq, type SQL, sql } from "drizzle-orm";
import { formatMoney } from "../../../domain/money.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { discountRedemptions, orderHistory, orders, pricingRules, users } from "../../../platform/db/schema.ts";
import { insertSelected, isSame, nextVersion, precondition } from "../../../platform/db/statements.ts";
import { type OpenedPayment, payOrder } from "../../payments/public.ts";
import type { PlannedChange } from "../change.ts";
import type { CheckoutDraft } from "../create/draft.ts";
import {
  countryOf,
  insertLines,
  orderLinesOf,
  redeemDiscounts,
  requireSums,
  storedDiscounts,
  storedShipping,
} from "../create/insert-order.ts";
import { addressOf } from "../create/order-state.ts";
import { amountSpent, valueGivenAway } from "../create/value-given-away.ts";
import { providerShare, queueRefund, recordMoney } from "../refunds/refund.ts";
import type { ItemRow, OrderRow } from "../schemas.ts";
import { correctSales } from "../sold.ts";
import type { PlannedEdit } from "./plan.ts";

/** The payment page that replaces the one of an unpaid order, and the time it expires. Null closes the old page. */
export type NewPayment = { payment: OpenedPayment | null; expiresAt: number | null };

type EditTerms = { note: string | null; notify: boolean; payment?: NewPayment | undefined };

/** Plans the statements of an edit. The batch is refused unless all data used for pricing is unchanged. */
export function planEditWrites(
  ctx: AuthorContext,
  edit: PlannedEdit,
  { note, notify, payment }: EditTerms,
): PlannedChange {
  const { order, pricing, total, settlement } = edit;
  const isPaid = order.paidAt !== null;
  const difference = total - order.total;
  const unpaidBy = isPaid ? undefined : order.paymentMethod;
  const given = (each: CheckoutDraft) => valueGivenAway(each, edit.facts, { now: ctx.author.now, unpaidBy });
  const growth = given(edit.draft) - given(edit.before);
  const becomes = columnsAfter(edit, payment);
  const items = itemsAfter(edit);
  const summary = summaryOf(order, { ...order, ...becomes, items });
  const step = { note: [summary, note].filter(Boolean).join(" "), notify: notify && summary !== "" };
  const sales = isPaid ? correctSales(order.id, ctx.author.now) : { before: [], after: [] };
  const priced = { reference: order.reference, ...edit.draft, pricing };
  return {
    action: "edit",
    becomes: { ...becomes, items },
    moves: amountSpent(isPaid ? difference : 0, growth) || null,
    note,
    statements: [
      ...sales.before,
      requireFacts(edit),
      releaseDiscounts(ctx, order),
      updateHead(ctx, edit, becomes),
      insertStep(ctx, edit, step),
      ...(isPaid && difference !== 0
        ? [recordMoney(ctx, { order, amount: -difference, note: note ?? "Order edited" })]
        : []),
      ...(settlement === "refund" && order.paymentProvider !== null
        ? [queueRefund(ctx, { order, amount: -difference })]
        : []),
      ...updateLines(edit),
      insertLines(priced, newLinesOf(edit)),
      requireSums(priced),
      ...redeemDiscounts(priced),
      ...statusAfter(ctx, edit, becomes),
      ...sales.after,
    ],
  };
}

/** Refuses rules or an exemption that differ from those used to price the edit. */
const requireFacts = ({ order: { userId }, facts }: PlannedEdit): SQL =>
  precondition(sql`(SELECT ${pricingRules.version} FROM ${pricingRules}) = ${facts.rules.version}
    AND (SELECT ${users.taxExemptReason} FROM ${users} WHERE ${users.id} = ${userId}) IS ${facts.accountExemption}`);

/** Releases the order's redemptions, so that kept discounts are checked like new ones. */
const releaseDiscounts = ({ db, author: { now } }: AuthorContext, { id }: OrderRow): SQL =>
  db
    .update(discountRedemptions)
    .set({ releasedAt: now })
    .where(sql`${eq(discountRedemptions.orderId, id)} AND ${discountRedemptions.releasedAt} IS NULL`)
    .getSQL();

function columnsAfter(
  { order, draft, facts, pricing, taxExemptReason, vatCheck, total }: PlannedEdit,
  renewed?: NewPayment,
) {
  const sends = draft.lines.some(
    ({ productId, kept }) => (kept?.facts ?? facts.products.get(productId))?.requiresShipping,
  );
  const { payment = null, expiresAt = null } = renewed ?? {};
  const {
    subtotal,
    discountTotal,
    shippingTotal,
    shippingDiscount,
    shippingTax,
    taxTotal,
    pricesIncludeTax,
    taxLines,
  } = pricing;
  const byHand = order.paymentProvider === null ? 0 : Math.max(0, total - order.total);
  return {
    subtotal,
    discountTotal,
    shippingTotal,
    shippingDiscount,
    shippingTax,
    taxTotal,
    pricesIncludeTax,
    total,
    taxLines,
    discounts: storedDiscounts(pricing),
    shippingMethod: storedShipping(pricing),
    taxExemptReason,
    vatCheck,
    shippingAddress: addressOf(draft.shippingAddress, facts),
    billingAddress: addressOf(draft.billingAddress, facts),
    fulfillmentStatus: sends ? ("unfulfilled" as const) : ("not_required" as const),
    ...(order.paidAt !== null && byHand > 0 && { receivedByHand: order.receivedByHand + byHand }),
    ...(renewed && {
      paymentStatus: payment ? ("requires_action" as const) : ("unpaid" as const),
      paymentProvider: payment?.provider ?? null,
      paymentReference: payment?.reference ?? null,
      paymentUrl: payment?.url ?? null,
      expiresAt,
    }),
  } satisfies Partial<OrderRow>;
}

const updateHead = (
  { db, author: { actor, now } }: AuthorContext,
  { order, draft }: PlannedEdit,
  becomes: Partial<OrderRow>,
): SQL =>
  db
    .update(orders)
    .set({
      ...becomes,
      country: countryOf(draft.shippingAddress ?? draft.billingAddress),
      updatedAt: nextVersion(order, now),
      updatedBy: actor,
      note: null,
    })
    .where(eq(orders.id, order.id))
    .getSQL();

const kinds = {
  none: "edit",
  unpaid: "edit",
  charge_wallet: "edit_charge",
  receive: "edit_charge",
  refund: "edit_refund",
} as const;

const insertStep = (
  { author: { actor, now } }: Pick<WriteContext, "author">,
  { order, total, settlement }: PlannedEdit,
  step: { note: string; notify: boolean },
): SQL => {
  const kind = kinds[settlement];
  return insertSelected(orderHistory, {
    orderId: order.id,
    at: now,
    kind,
    from: order.status,
    to: order.status,
    amount: kind === "edit" ? null : Math.abs(total - order.total),
    actor,
    ...step,
  });
};

/** The kept lines, with their position in the price. */
const keptLines = ({ draft, pricing }: PlannedEdit) =>
  draft.lines.flatMap(({ kept, ...line }, index) =>
    kept ? [{ ...line, id: kept.id, priced: pricing.lines[index] }] : [],
  );

/** The items after the edit. New items have no id yet. */
function itemsAfter(edit: PlannedEdit): ItemRow[] {
  const { order, draft, state, pricing } = edit;
  const items = new Map(order.items.map((item) => [item.id, item]));
  return draft.lines.flatMap(({ productId, quantity, unitPrice, listPrice = null, kept }, index) => {
    const product = state.products.get(productId);
    const sold = kept
      ? items.get(kept.id)
      : product && { ...product, id: 0, productId, refundedQuantity: 0, shippedQuantity: 0, metadata: {} };
    const priced = pricing.lines[index];
    return sold && priced ? [{ ...sold, quantity, unitPrice, listPrice, ...priced }] : [];
  });
}

/**
 * Statements that change lines: first those that lose units, so that others can take them. Removed lines have 0 units.
 */
function updateLines(edit: PlannedEdit): SQL[] {
  const before = edit.order.items;
  const kept = new Map(keptLines(edit).map((line) => [line.id, line]));
  const rows = before.flatMap((item) => {
    const line = kept.get(item.id);
    const { discount = 0, tax = 0, taxLines = [] } = line?.priced ?? {};
    const { quantity = 0, unitPrice = item.unitPrice, listPrice = item.listPrice } = line ?? {};
    const row = [item.id, quantity, unitPrice, listPrice ?? null, discount, tax, taxLines] as const;
    const was = [item.id, item.quantity, item.unitPrice, item.listPrice, item.discount, item.tax, item.taxLines];
    return JSON.stringify(row) === JSON.stringify(was) ? [] : [{ row, loses: quantity < item.quantity }];
  });
  return [rows.filter(({ loses }) => loses), rows.filter(({ loses }) => !loses)]
    .filter((some) => some.length > 0)
    .map(
      (some) => sql`
      UPDATE order_items SET quantity = line.value ->> 1, unit_price = line.value ->> 2, list_price = line.value ->> 3,
        total = (line.value ->> 1) * (line.value ->> 2), discount = line.value ->> 4, tax = line.value ->> 5, tax_lines = line.value -> 6
      FROM json_each(${JSON.stringify(some.map(({ row }) => row))}) AS line
      WHERE order_items.id = line.value ->> 0 AND order_id = ${edit.order.id}`,
    );
}

/** The lines added by the edit, inserted like those of a new order. */
function newLinesOf({ draft, pricing, facts }: PlannedEdit): SQL {
  const isNew = draft.lines.map(({ kept }) => kept === undefined);
  return orderLinesOf({
    lines: draft.lines.filter((_, index) => isNew[index]),
    pricing: { ...pricing, lines: pricing.lines.filter((_, index) => isNew[index]) },
    facts,
  });
}

/** An unpaid order that now costs nothing is paid, and a processing one with nothing left to ship is completed. */
function statusAfter(
  ctx: AuthorContext,
  { order, total }: PlannedEdit,
  { fulfillmentStatus }: Partial<OrderRow>,
): SQL[] {
  const { reference, paidAt, id, status } = order;
  const isDone = status === "processing" && fulfillmentStatus === "not_required";
  const pays = paidAt === null && total === 0;
  return [
    ...(pays ? [payOrder(ctx, { reference, note: null, paymentReference: null })] : []),
    ...(isDone ? [ctx.db.update(orders).set({ status: "completed" }).where(eq(orders.id, id)).getSQL()] : []),
  ];
}

/** Amount of the difference that a payment provider refunds. */
export const refundedByProvider = ({ order, total, settlement }: PlannedEdit): number =>
  settlement === "refund" && order.paymentProvider !== null ? providerShare(order, order.total - total) : 0;

type ComparedColumns = Pick<
  OrderRow,
  | "items"
  | "total"
  | "currency"
  | "shippingAddress"
  | "billingAddress"
  | "shippingMethod"
  | "discounts"
  | "taxExemptReason"
>;

/** The changes of an edit in plain sentences, for the order's history. Addresses are not repeated. */
function summaryOf(before: ComparedColumns, after: ComparedColumns): string {
  const price = (minor: number) => formatMoney(minor, before.currency);
  const left = new Map(after.items.map((item) => [item.id, item]));
  const changed = before.items.flatMap((item) => {
    const now = left.get(item.id);
    const name = nameWithValues(item);
    if (!now) return [`Removed ${item.quantity} × ${name}.`];
    return [
      ...(now.quantity === item.quantity ? [] : [`${name}: ${item.quantity} → ${now.quantity} units.`]),
      ...(now.unitPrice === item.unitPrice ? [] : [`${name}: ${price(item.unitPrice)} → ${price(now.unitPrice)}.`]),
    ];
  });
  const added = after.items.filter(({ id }) => id === 0);
  const says = (name: keyof ComparedColumns, words: string) => (isSame([before[name]], [after[name]]) ? [] : [words]);
  return [
    ...added.map((item) => `Added ${item.quantity} × ${nameWithValues(item)}.`),
    ...changed,
    ...says("shippingAddress", "Shipping address changed."),
    ...says("billingAddress", "Billing address changed."),
    ...says("shippingMethod", `Shipping: ${after.shippingMethod?.name ?? "none"}.`),
    ...says("discounts", "Discounts changed."),
    ...says("taxExemptReason", "Tax exemption changed."),
    ...says("total", `Total: ${price(before.total)} → ${price(after.total)}.`),
  ].join(" ");
}
