import { badRequest, fieldError } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { scaled } from "../../../domain/rounding.ts";
import { namedLines } from "../named-lines.ts";
import type { OrderRow } from "../schemas.ts";

/** Refunded units by line id. `restocked` is the number of units that return to the stock, if the units of a line differ. */
export type RefundLines = { itemId: number; quantity: number; restocked?: number }[];

/** Lines, shipping or both, less an amount in minor units that the shop keeps for damage. */
type RefundedParts = {
  lines?: RefundLines | undefined;
  shipping?: boolean | undefined;
  deduction?: number | undefined;
};

/** The requested refund: parts of the order, an amount in minor units, or everything that remains. */
export type RefundRequest = RefundedParts | number | "all";

/**
 * The extent of a refund. `shipping` and `tax` are the parts of `amount` paid for shipping and as tax. All in minor units.
 */
export type RefundExtent = { lines: RefundLines; amount: number; shipping: number; tax: number };

type Item = OrderRow["items"][number];

export const refundableAmount = ({ total, refundedTotal }: OrderRow): number => total - refundedTotal;

/** Amount paid for shipping, including tax added to prices. */
const paidForShipping = ({ shippingTotal, shippingDiscount, shippingTax, pricesIncludeTax }: OrderRow): number =>
  shippingTotal - shippingDiscount + (pricesIncludeTax ? 0 : shippingTax);

/** Shipping left to refund, capped by what is left of the whole order. */
export const refundableShipping = (order: OrderRow): number =>
  Math.min(paidForShipping(order) - order.refundedShipping, refundableAmount(order));

/** Amount paid for a line: its total less its discount, including tax added to prices. */
export const paidForLine = ({ pricesIncludeTax }: OrderRow, { total, discount, tax }: Item): number =>
  total - discount + (pricesIncludeTax ? 0 : tax);

/** Calculates the units, the amount and its parts that a refund covers. Throws if it exceeds what is left. */
export const refundExtent = (order: OrderRow, what: RefundRequest, restock: boolean): RefundExtent =>
  typeof what === "number" ? ofMoney(order, what, restock) : ofParts(order, what === "all" ? {} : what);

/** Refunds an amount without returning units, except that refunding the last of the money returns every unit left. */
function ofMoney(order: OrderRow, amount: number, restock: boolean): RefundExtent {
  const left = refundableAmount(order);
  if (amount > left) {
    throw badRequest(
      fieldError("amount", "exceeds_refundable", `only ${formatAmount(left)} is left to refund`, {
        available: toDecimal(left),
      }),
    );
  }
  if (amount === left) return everything(order);
  if (restock) {
    throw badRequest(
      fieldError(
        "restock",
        "not_applicable",
        "applies to units. A refund by amount returns no units unless it covers everything that remains",
      ),
    );
  }
  const tax = scaled(order.taxTotal - order.refundedTax, amount, left);
  return { lines: [], amount, shipping: 0, tax: possibleTax(order, amount, tax) };
}

/** Refunds all remaining units and money, including all of the tax. */
function everything(order: OrderRow): RefundExtent {
  const amount = refundableAmount(order);
  return {
    lines: everyUnit(order),
    amount,
    shipping: refundableShipping(order),
    tax: order.taxTotal - order.refundedTax,
  };
}

/**
 * Refunds units at the price paid for them, limited by the remaining money. The last units include shipping unless the
 * request says otherwise. What the deductions of earlier returns kept is refunded only by an amount, or with everything.
 */
function ofParts(order: OrderRow, { lines: named, shipping: wanted, deduction }: RefundedParts): RefundExtent {
  if (named === undefined && wanted === undefined) return everything(order);
  const lines = named ?? (wanted ? [] : everyUnit(order));
  const parts = partsOf(order, lines);
  const isWhole = unitsOf(lines) === unitsOf(everyUnit(order));
  const open = refundableShipping(order);
  if (wanted && open === 0) {
    throw badRequest(
      fieldError("shipping", "exceeds_refundable", "no paid shipping is left to refund", { available: 0 }),
    );
  }
  const withShipping = wanted ?? isWhole;
  const shipping = withShipping ? open : 0;
  const amount = Math.min(parts.paid + shipping, refundableAmount(order));
  const tax = possibleTax(order, amount, parts.tax + (withShipping ? taxOfShipping(order, open) : 0));
  return lessDeduction(order, { lines, amount, shipping, tax }, deduction);
}

/** Reduces a refund by what the shop keeps. The rest can still be refunded later. */
function lessDeduction(order: OrderRow, full: RefundExtent, deduction = 0): RefundExtent {
  if (deduction === 0) return full;
  if (deduction > full.amount) {
    throw badRequest(
      fieldError("deduction", "exceeds_refundable", `must be at most the ${formatAmount(full.amount)} to refund`, {
        available: toDecimal(full.amount),
      }),
    );
  }
  const amount = full.amount - deduction;
  const tax = possibleTax(order, amount, scaled(full.tax, amount, full.amount));
  return { ...full, amount, shipping: Math.min(full.shipping, amount), tax };
}

/** Caps a refund's tax so that the rest of the order still covers the rest of its tax. */
const possibleTax = (order: OrderRow, amount: number, tax: number): number => {
  const left = order.taxTotal - order.refundedTax;
  const least = Math.max(0, left - (refundableAmount(order) - amount));
  return Math.max(least, Math.min(tax, left, amount));
};

/** Share of an amount that falls to a number of a line's units. The shares of successive units add up. */
function partOf(amount: number, { quantity, refundedQuantity }: Item, units: number): number {
  return scaled(amount, refundedQuantity + units, quantity) - scaled(amount, refundedQuantity, quantity);
}

function taxOfShipping(order: OrderRow, amount: number): number {
  const paid = paidForShipping(order);
  return paid === 0 ? 0 : scaled(order.shippingTax, amount, paid);
}

export const everyUnit = ({ items }: OrderRow): RefundLines =>
  items
    .map(({ id, quantity, refundedQuantity }) => ({ itemId: id, quantity: quantity - refundedQuantity }))
    .filter(({ quantity }) => quantity > 0);

export const unitsOf = (lines: RefundLines): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** Amount paid for the units, and its tax. */
function partsOf(order: OrderRow, lines: RefundLines) {
  const asked = lines.map(({ itemId, quantity }) => ({ id: itemId, quantity }));
  const exceeds = (field: string, available: number) =>
    fieldError(field, "exceeds_refundable", `only ${available} are left to refund`, { available });
  const left = ({ quantity, refundedQuantity }: Item) => quantity - refundedQuantity;
  const parts = { paid: 0, tax: 0 };
  for (const { item, quantity } of namedLines(order.items, asked, { left, exceeds })) {
    parts.paid += partOf(paidForLine(order, item), item, quantity);
    parts.tax += partOf(item.tax, item, quantity);
  }
  return parts;
}
