import { badRequest, fieldError } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { scaled } from "../../pricing/public.ts";
import type { OrderRow } from "../schemas.ts";

/** Units of lines, by the lines' ids. */
export type RefundLines = { itemId: number; quantity: number }[];

/** What is asked for: lines, shipping or both, minor units of money, or everything that is left. */
export type RefundRequest = { lines?: RefundLines | undefined; shipping?: boolean | undefined } | number | "all";

/** What a refund covers. Of its amount so much was paid for shipping, and so much is tax; all are minor units. */
export type RefundExtent = { lines: RefundLines; amount: number; shipping: number; tax: number };

type Item = OrderRow["items"][number];

export const refundableAmount = ({ total, refundedTotal }: OrderRow): number => total - refundedTotal;

/** What was paid for shipping, with the tax that came on top. */
const paidForShipping = ({ shippingTotal, shippingDiscount, shippingTax, pricesIncludeTax }: OrderRow): number =>
  shippingTotal - shippingDiscount + (pricesIncludeTax ? 0 : shippingTax);

/** What is left of it, of an order that may have less left in all. */
export const refundableShipping = (order: OrderRow): number =>
  Math.min(paidForShipping(order) - order.refundedShipping, refundableAmount(order));

/** What was paid for a line: its total less its discount, with the tax that came on top. */
export const paidForLine = ({ pricesIncludeTax }: OrderRow, { total, discount, tax }: Item): number =>
  total - discount + (pricesIncludeTax ? 0 : tax);

/** The units, the money and its parts that a refund covers; more than there is left is refused. */
export const refundExtent = (order: OrderRow, what: RefundRequest, restock: boolean): RefundExtent =>
  typeof what === "number" ? ofMoney(order, what, restock) : ofParts(order, what === "all" ? {} : what);

/** A refund of an amount returns no units, except that the last of the money returns every unit that is left. */
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

/** All units, all money, and with it all of the tax. */
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
 * A refund of units is worth what was paid for them, at most what is left. With the last of the units goes the shipping,
 * unless it says otherwise.
 */
function ofParts(order: OrderRow, { lines: named, shipping: wanted }: Exclude<RefundRequest, number | "all">) {
  const lines = named ?? (wanted ? [] : everyUnit(order));
  const parts = partsOf(order, lines);
  const isWhole = unitsOf(lines) === unitsOf(everyUnit(order));
  const open = refundableShipping(order);
  if (wanted && open === 0) {
    throw badRequest(
      fieldError("shipping", "exceeds_refundable", "shipping has already been refunded", { available: 0 }),
    );
  }
  const withShipping = wanted ?? isWhole;
  if (isWhole && (withShipping || open === 0)) return everything(order);
  const shipping = withShipping ? open : 0;
  const amount = Math.min(parts.paid + shipping, refundableAmount(order));
  const tax = possibleTax(order, amount, parts.tax + (withShipping ? taxOfShipping(order, open) : 0));
  return { lines, amount, shipping, tax };
}

/** The tax of a refund, so that what is left of the order still holds what is left of its tax. */
const possibleTax = (order: OrderRow, amount: number, tax: number): number => {
  const left = order.taxTotal - order.refundedTax;
  const least = Math.max(0, left - (refundableAmount(order) - amount));
  return Math.max(least, Math.min(tax, left, amount));
};

/** The part of an amount that a number of units out of all of them has; parts of successive units add up. */
function partOf(amount: number, { quantity, refundedQuantity }: Item, units: number): number {
  return scaled(amount, refundedQuantity + units, quantity) - scaled(amount, refundedQuantity, quantity);
}

function taxOfShipping(order: OrderRow, amount: number): number {
  const [paid, before] = [paidForShipping(order), order.refundedShipping];
  if (paid === 0) return 0;
  return scaled(order.shippingTax, before + amount, paid) - scaled(order.shippingTax, before, paid);
}

export const everyUnit = ({ items }: OrderRow): RefundLines =>
  items
    .map(({ id, quantity, refundedQuantity }) => ({ itemId: id, quantity: quantity - refundedQuantity }))
    .filter(({ quantity }) => quantity > 0);

export const unitsOf = (lines: RefundLines): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** What was paid for the units, and its tax. */
function partsOf(order: OrderRow, lines: RefundLines) {
  const left = new Map(order.items.map((item) => [item.id, item]));
  const parts = { paid: 0, tax: 0 };
  for (const [index, { itemId, quantity }] of lines.entries()) {
    const item = left.get(itemId);
    if (!item) {
      throw badRequest(
        fieldError(`items.${index}.id`, "unknown_reference", "is not a line item of this order, or is listed twice"),
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
    parts.paid += partOf(paidForLine(order, item), item, quantity);
    parts.tax += partOf(item.tax, item, quantity);
  }
  return parts;
}
