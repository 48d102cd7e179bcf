import { sql } from "drizzle-orm";
import { type Address, toShownAddress } from "../../domain/address.ts";
import { badRequest, conflict, fieldError, requireFound } from "../../domain/errors.ts";
import {
  type AccountScope,
  type AuthorContext,
  accountScopeOf,
  type CallerContext,
  requirePermission,
} from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { isPaidLater } from "../../platform/db/order-payment.ts";
import { isSame } from "../../platform/db/statements.ts";
import { spellTags, writtenTags } from "../../platform/db/tags.ts";
import { type IfMatch, requireVersion } from "../../platform/http/version.ts";
import { type InvoiceRow, invoicesOfOrder, readSeller } from "../invoices/public.ts";
import type { OrderUpdate, RefundCreate } from "./admin-schemas.ts";
import { applyOrderChange, editOrder, invoiceOrder, type OrderStep, type PlannedChange, together } from "./change.ts";
import { type AskedChange, planMove } from "./move.ts";
import { findAnyOrder } from "./orders.ts";
import { type RefundRequest, refundableAmount, refundExtent } from "./refunds/extent.ts";
import { planRefund } from "./refunds/refund.ts";
import { isTestPayment, type OrderRow } from "./schemas.ts";
import { planCorrection, planShipment } from "./shipments/plan.ts";
import type { ShipmentCreate, ShipmentUpdate } from "./shipments/schemas.ts";
import { type OrderStatus, SENT } from "./transitions.ts";

// Changes to orders by administrators. Each is written together with its audit log entry.

export const requireOrder = (db: Database, id: number, scope: AccountScope): Promise<OrderRow> =>
  requireFound(findAnyOrder(db, id, scope), `Order ${id}`);

/** An order within the caller's scope, at the version named by the request. */
type EditedOrder = { id: number; ifMatch: IfMatch };

const applyEdit = (
  { db, caller, author }: CallerContext,
  { id, ifMatch, plan }: EditedOrder & { plan: (order: OrderRow) => PlannedChange },
): Promise<OrderRow> =>
  applyOrderChange(
    { db, author },
    {
      which: { id, scope: accountScopeOf(caller) },
      audit: author,
      decide(order) {
        requireVersion(ifMatch, order.updatedAt);
        return plan(order);
      },
    },
  );

/** Changes an order's status, corrects it, or both, all or nothing. */
export async function changeOrder(
  ctx: CallerContext,
  { id, change: sent, ifMatch }: EditedOrder & { change: OrderUpdate },
): Promise<OrderRow> {
  const change = sent.tags ? { ...sent, tags: await spellTags(ctx.db, sent.tags) } : sent;
  return applyEdit(ctx, {
    id,
    ifMatch,
    plan(order) {
      const asked = { order, change, note: change.note ?? null };
      const move = planMove(ctx, asked);
      if (move && move.moves !== null && !takesBack(order, change)) requirePermission(ctx.caller, "payments:write");
      const corrections = planCorrections(ctx, asked);
      return move ? together(corrections, move) : corrections;
    },
  });
}

/** A parcel that comes back unpaid only counts towards limits: its order gives nothing away, and moves no money. */
const takesBack = ({ paidAt }: OrderRow, { status, restock }: OrderUpdate): boolean =>
  status === "cancelled" && restock === true && paidAt === null;

export const createShipment = (
  ctx: CallerContext,
  { id, shipment, ifMatch }: EditedOrder & { shipment: ShipmentCreate },
): Promise<OrderRow> =>
  applyEdit(ctx, { id, ifMatch, plan: (order) => planShipment(ctx, { order, sent: shipment, note: null }) });

/** Corrects a shipment's carrier and tracking. */
export const changeShipment = (
  ctx: CallerContext,
  { id, shipment, change, ifMatch }: EditedOrder & { shipment: number; change: ShipmentUpdate },
): Promise<OrderRow> =>
  applyEdit(ctx, { id, ifMatch, plan: (order) => planCorrection(ctx, { order, shipment, change, note: null }) });

/** Refunds the named units, an amount, or everything that remains. */
export const createRefund = (
  ctx: CallerContext,
  { id, refund, ifMatch }: EditedOrder & { refund: RefundCreate },
): Promise<OrderRow> => {
  const { restock, note = null } = refund;
  const asked = { what: requestedRefund(refund), restock, ends: "refunded", note } as const;
  return applyEdit(ctx, { id, ifMatch, plan: (order) => planRefund(ctx, { order, ...asked }) });
};

/** True for an order that may have an invoice: it is no test, is paid or sent before payment, and costs something after refunds. */
export const canBeInvoiced = (order: OrderRow): boolean =>
  !isTestPayment(order) && refundableAmount(order) > 0 && (order.paidAt !== null || isPaidLater(order));

/** Issues an order's invoice, unless it has one. Returns the invoice. */
export async function issueByHand(ctx: CallerContext, which: EditedOrder): Promise<InvoiceRow | undefined> {
  const { db } = ctx;
  const order = await requireOrder(db, which.id, accountScopeOf(ctx.caller));
  const [[issued], seller] = await Promise.all([invoicesOfOrder(db, order.id), readSeller(db)]);
  if (issued) return issued;
  if (!canBeInvoiced(order)) {
    const words =
      "Only orders that are paid, or sent before payment, and that cost something after refunds have an invoice. Orders paid in test mode have none";
    throw conflict("not_invoiceable", words);
  }
  if (!seller?.address) throw conflict("not_invoiceable", "Enter the shop's address first. Invoices must name it");
  await applyEdit(ctx, { ...which, plan: (read) => invoiceOrder(ctx, { order: read, note: null }) });
  return (await invoicesOfOrder(db, order.id))[0];
}

/** Amount that `createRefund` would refund for the order in its current state, in minor units. */
export const refundAmount = (order: OrderRow, sent: RefundCreate): number =>
  refundExtent(order, requestedRefund(sent), sent.restock).amount;

const requestedRefund = ({ items, shipping, amount }: RefundCreate): RefundRequest =>
  amount ?? { lines: items?.map(({ id: itemId, quantity }) => ({ itemId, quantity })), shipping };

/** Statuses in which the goods can still be redirected. */
const unsent: readonly OrderStatus[] = ["pending", "processing", "expired"];

export const canChangeAddress = ({ status }: OrderRow): boolean => unsent.includes(status);

/** Plans a request's corrections of an order's addresses and latest shipment, without a change of status. */
function planCorrections(ctx: CallerContext, { order, change, note }: AskedChange): PlannedChange {
  const corrected = editOrder(ctx, { order, note, becomes: correctedColumns(order, change) });
  const edit = withTags(order, change.tags, withLineMetadata(order, change, corrected));
  if (!change.shipment || change.status === SENT) return edit;
  const shipment = latestShipment(order);
  return together(edit, planCorrection(ctx, { order, note, shipment, change: change.shipment }));
}

/** Adds the texts on the order's items to a planned change. */
function withLineMetadata(order: OrderRow, { items: sent = [] }: OrderUpdate, edit: PlannedChange): PlannedChange {
  if (sent.length === 0) return edit;
  const texts = new Map(sent.map(({ id, metadata }) => [id, metadata]));
  const unknown = sent.findIndex(({ id }) => !order.items.some((item) => item.id === id));
  if (unknown >= 0)
    throw badRequest(fieldError(`items.${unknown}.id`, "unknown_reference", "is not an item of the order"));
  const update = sql`
    UPDATE order_items SET metadata = line.value -> 'metadata' FROM json_each(${JSON.stringify(sent)}) AS line
    WHERE order_items.id = line.value ->> 'id' AND order_id = ${order.id}`;
  const items = order.items.map((item) => ({ ...item, metadata: texts.get(item.id) ?? item.metadata }));
  return { ...edit, statements: [...edit.statements, update], becomes: { ...edit.becomes, items } };
}

/** Plans a change of an order's tags alone. */
export const planTags = (ctx: AuthorContext, { order, note }: OrderStep, tags: string[]) =>
  withTags(order, tags, editOrder(ctx, { order, note, becomes: {} }));

/** Adds the tags of the order to a planned change. */
function withTags(order: OrderRow, tags: string[] | undefined, edit: PlannedChange): PlannedChange {
  if (!tags || isSame(tags, order.tags)) return edit;
  const { ahead, stored } = writtenTags("orders", tags);
  const update = sql`UPDATE orders SET tags = ${stored.tags} WHERE id = ${order.id}`;
  return { ...edit, statements: [...edit.statements, ...ahead, update], becomes: { ...edit.becomes, tags } };
}

const isSameAddress = (before: Address | null, sent: Address): boolean =>
  before !== null && isSame(toShownAddress(before), toShownAddress(sent));

/**
 * Refuses another country or region, which shipping and taxes depend on. Only an edit calculates the price again, as
 * Shopify does for unfulfilled orders (changelog of 2026-07-30).
 */
function requireSamePlace(name: AddressField, before: Address | null, sent: Address): void {
  const [old, current] = [toShownAddress(before ?? sent), toShownAddress(sent)];
  const changed = (["country", "region"] as const).find((part) => old[part] !== current[part]);
  if (changed === undefined) return;
  const words = "changes shipping and taxes. Edit the order instead, which calculates its price again";
  throw badRequest(fieldError(`${name}.${changed}`, "not_applicable", words));
}

type AddressField = "shipping_address" | "billing_address";

/** Parts of the billed address that tell which business in which member state bought. */
const EXEMPTING = ["vat_id", "country", "region", "company", "name"] as const;

/** Refuses another buyer in the billed address of an order that is free of tax because of its VAT ID, even once it is sent. */
function requireSameBuyer({ billingAddress, shippingAddress, taxLines, vatCheck }: OrderRow, sent: OrderUpdate): void {
  if (vatCheck?.status !== "valid" || !taxLines.some(({ exemption }) => exemption)) return;
  const name: AddressField = sent.billing_address || billingAddress ? "billing_address" : "shipping_address";
  const billed = sent.billing_address ?? billingAddress ?? sent.shipping_address;
  if (!billed) return;
  // An erased order has no addresses.
  const before = billingAddress ?? shippingAddress ?? { ...billed, vat_id: vatCheck.vatId };
  const [old, current] = [toShownAddress(before), toShownAddress(billed)];
  const changed = EXEMPTING.find((part) => old[part] !== current[part]);
  if (changed === undefined) return;
  throw badRequest(
    fieldError(`${name}.${changed}`, "not_applicable", "cannot be changed, because it exempts the order from tax"),
  );
}

/** Returns the addresses that differ from those of the order, and what programs keep with it. */
function correctedColumns(order: OrderRow, { shipping_address, billing_address, external_id, metadata }: OrderUpdate) {
  const moves = shipping_address && !isSameAddress(order.shippingAddress, shipping_address);
  if (moves && !canChangeAddress(order)) {
    throw conflict(
      "order_sent",
      `The order is ${order.status}. Its address can no longer change`,
      fieldError("shipping_address", "order_sent", "can only change before the order is sent"),
    );
  }
  const bills = billing_address && !isSameAddress(order.billingAddress, billing_address);
  if (moves) requireSamePlace("shipping_address", order.shippingAddress, shipping_address);
  if (bills && canChangeAddress(order)) requireSamePlace("billing_address", order.billingAddress, billing_address);
  if (moves || bills) requireSameBuyer(order, { shipping_address, billing_address });
  return {
    ...(moves && { shippingAddress: shipping_address }),
    ...(bills && { billingAddress: billing_address }),
    ...(external_id !== undefined && { externalId: external_id }),
    ...(metadata && { metadata }),
  };
}

function latestShipment(order: OrderRow): number {
  const latest = order.shipments.at(-1);
  if (latest) return latest.id;
  throw conflict(
    "order_not_sent",
    `The order is ${order.status} and has not been shipped. Send the status ${SENT} too`,
    fieldError("shipment", "order_not_sent", "can only be corrected after the order is sent"),
  );
}
