import { formatMoney } from "../../../domain/money.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import { isSame } from "../../../platform/db/precondition.ts";
import type { OrderRow } from "../schemas.ts";

type Compared = Pick<
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
export function summaryOf(before: Compared, after: Compared): string {
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
  const says = (name: keyof Compared, words: string) => (isSame([before[name]], [after[name]]) ? [] : [words]);
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
