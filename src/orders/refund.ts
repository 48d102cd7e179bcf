import { formatAmount, toDecimal } from "../domain/money.ts";
import { badRequest, fieldError } from "../errors.ts";
import { type Refund, refundWrites } from "./refund-queries.ts";
import type { OrderRow } from "./schemas.ts";
import { moveRefused, moves } from "./transitions.ts";
import type { PlannedChange } from "./write-queries.ts";

type Lines = Refund["lines"];

/** A refund as it is requested: units of lines, minor units of money, or everything that is left. */
export type RefundRequest = Omit<Refund, "lines" | "amount"> & { what: Lines | number | "all" };

/**
 * Plans a refund: the only way that money goes back, when a buyer cancels and when an administrator refunds. A wallet is
 * credited at once; a payment provider is asked after the write, and again until it accepts.
 */
export function planRefund(order: OrderRow, { what, ...how }: RefundRequest): PlannedChange {
  const { ends, restock, note } = how;
  if (!canBeRefunded(order)) throw moveRefused(order.status, ends);
  const { lines, amount } = refundExtent(order, what, restock);
  const refundedTotal = order.refundedTotal + amount;
  return {
    action: ends === "cancelled" ? "cancel" : "refund",
    statements: refundWrites(order, { ...how, lines, amount }),
    becomes: {
      refundedTotal,
      ...(isWhole(order, lines)
        ? { paymentStatus: "refunded", status: ends }
        : { paymentStatus: paymentStatusOf(order, refundedTotal) }),
    },
    moves: amount,
    note,
    details: {
      refunded_items: lines.map(({ itemId, quantity }) => ({ id: itemId, quantity })),
      refunded_amount: toDecimal(amount),
      restock,
    },
  };
}

/** Only an order that was paid is in a status from which it can become refunded. */
export const canBeRefunded = ({ status }: OrderRow): boolean => moves[status].includes("refunded");

/** The units and the minor units of money that a refund covers; more than there is left is refused. */
export const refundExtent = (order: OrderRow, what: RefundRequest["what"], restock: boolean) =>
  typeof what === "number" ? ofMoney(order, what, restock) : ofUnits(order, what);

export const refundableAmount = ({ total, refundedTotal }: OrderRow): number => total - refundedTotal;

function paymentStatusOf({ total, paymentStatus }: OrderRow, refundedTotal: number) {
  if (refundedTotal === 0) return paymentStatus;
  return refundedTotal === total ? "refunded" : "partially_refunded";
}

/** A refund of an amount returns no units, except that the last of the money returns every unit that is left. */
function ofMoney(order: OrderRow, amount: number, restock: boolean): Pick<Refund, "lines" | "amount"> {
  const left = refundableAmount(order);
  if (amount > left) {
    throw badRequest(
      fieldError("amount", "exceeds_refundable", `only ${formatAmount(left)} is left to refund`, {
        available: toDecimal(left),
      }),
    );
  }
  if (amount === left) return { lines: everyUnit(order), amount };
  if (restock) {
    throw badRequest(
      fieldError("restock", "not_applicable", "is for units: an amount takes none back while money is left"),
    );
  }
  return { lines: [], amount };
}

/** A refund of units is worth what was paid for them, at most what is left; the last units refund everything that is left. */
function ofUnits(order: OrderRow, what: Lines | "all"): Pick<Refund, "lines" | "amount"> {
  const lines = what === "all" ? everyUnit(order) : what;
  const cost = costOf(order, lines);
  return { lines, amount: isWhole(order, lines) ? refundableAmount(order) : Math.min(cost, refundableAmount(order)) };
}

const everyUnit = ({ items }: OrderRow): Lines =>
  items
    .map(({ id, quantity, refundedQuantity }) => ({ itemId: id, quantity: quantity - refundedQuantity }))
    .filter(({ quantity }) => quantity > 0);

const unitsOf = (lines: Lines): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

const isWhole = (order: OrderRow, lines: Lines): boolean => unitsOf(lines) === unitsOf(everyUnit(order));

function costOf(order: OrderRow, lines: Lines): number {
  const left = new Map(order.items.map((item) => [item.id, item]));
  let cost = 0;
  for (const [index, { itemId, quantity }] of lines.entries()) {
    const item = left.get(itemId);
    if (!item) {
      throw badRequest(
        fieldError(`items.${index}.id`, "unknown_reference", "is not a line of this order, or stands here twice"),
      );
    }
    left.delete(itemId);
    const open = item.quantity - item.refundedQuantity;
    if (quantity > open) {
      throw badRequest(
        fieldError(`items.${index}.quantity`, "exceeds_refundable", `only ${open} are left to refund`, {
          available: open,
        }),
      );
    }
    cost += quantity * item.unitPrice;
  }
  return cost;
}
