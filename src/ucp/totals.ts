import type { Quote } from "../checkout/orders/create/quote.ts";
import type { OrderRow } from "../checkout/orders/schemas.ts";
import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import { toMinor } from "../domain/money.ts";
import { nameWithValues } from "../domain/option-values.ts";

// Lines and totals of quotes and orders, in minor units.

export const totalOf = (type: string, display_text: string, amount: number) => ({ type, display_text, amount });

/** The amounts that quotes and orders share. */
type OrderTotals = Pick<
  Quote,
  "subtotal" | "discount_total" | "shipping_total" | "tax_total" | "prices_include_tax" | "total"
> & { items: readonly { discount: number }[]; shipping_method: object | null };

export function totalsOf(priced: OrderTotals) {
  const offItems = priced.items.reduce((sum, { discount }) => sum + toMinor(discount), 0);
  const offShipping = toMinor(priced.discount_total) - offItems;
  const tax = toMinor(priced.tax_total);
  const includesTax = tax > 0 && priced.prices_include_tax;
  return [
    totalOf("subtotal", "Subtotal", toMinor(priced.subtotal)),
    ...(offItems > 0 ? [totalOf("items_discount", "Discounts", -offItems)] : []),
    ...(offShipping > 0 ? [totalOf("discount", "Shipping discount", -offShipping)] : []),
    ...(priced.shipping_method ? [totalOf("fulfillment", "Shipping", toMinor(priced.shipping_total))] : []),
    ...(tax > 0 && !includesTax ? [totalOf("tax", "Tax", tax)] : []),
    totalOf("total", includesTax ? "Total, including tax" : "Total", toMinor(priced.total)),
  ];
}

const totalsOfLine = (total: number, discount: number) => [
  totalOf("subtotal", "Subtotal", total),
  ...(discount > 0 ? [totalOf("items_discount", "Discounts", -discount)] : []),
  totalOf("total", "Total", total - discount),
];

type SessionLines = SessionContent["items"];

export const linesOfQuote = ({ items }: Quote, lines: SessionLines) =>
  items.map((item, index) => ({
    id: lines[index]?.id ?? "",
    item: {
      id: lines[index]?.sent ?? String(item.product_id),
      title: nameWithValues({ name: item.name ?? "Unavailable product", optionValues: item.option_values }),
      price: toMinor(item.unit_price),
    },
    quantity: item.quantity,
    totals: totalsOfLine(toMinor(item.total), toMinor(item.discount)),
  }));

type OrderLine = OrderRow["items"][number];

/** Ids of an order's lines: of the session's line with the product, and their own for lines that staff added. */
export function lineIdsOf({ items }: OrderRow, lines: SessionLines): (line: { id: number }) => string {
  const left = [...lines];
  const ids = items.map(({ id, productId }): [number, string] => {
    const at = left.findIndex((line) => line.product_id === productId);
    return [id, (at < 0 ? undefined : left.splice(at, 1)[0]?.id) ?? String(id)];
  });
  const byLine = new Map(ids);
  return ({ id }) => byLine.get(id) ?? String(id);
}

export const lineOfOrder = (line: OrderLine, id: string) => ({
  id,
  item: { id: String(line.productId), title: nameWithValues(line), price: line.unitPrice },
  totals: totalsOfLine(line.total, line.discount),
});
