import type { Quote } from "../checkout/orders/create/quote.ts";
import type { OrderRow } from "../checkout/orders/schemas.ts";
import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import { toMinor } from "../domain/money.ts";
import { nameWithValues } from "../domain/option-values.ts";

// Lines and totals of quotes and orders, in minor units.

type Total = { type: string; display_text: string; amount: number };

/** The parts of a total, before they have names. Discounts are positive here. */
type Parts = {
  subtotal: number;
  itemsDiscount: number;
  shippingDiscount: number;
  shipping: number | null;
  tax: number;
  isTaxIncluded: boolean;
  total: number;
};

const totalsOf = (parts: Parts): Total[] => [
  { type: "subtotal", display_text: "Subtotal", amount: parts.subtotal },
  ...(parts.itemsDiscount > 0
    ? [{ type: "items_discount", display_text: "Discounts", amount: -parts.itemsDiscount }]
    : []),
  ...(parts.shippingDiscount > 0
    ? [{ type: "discount", display_text: "Shipping discount", amount: -parts.shippingDiscount }]
    : []),
  ...(parts.shipping === null ? [] : [{ type: "fulfillment", display_text: "Shipping", amount: parts.shipping }]),
  ...(parts.tax > 0 && !parts.isTaxIncluded ? [{ type: "tax", display_text: "Tax", amount: parts.tax }] : []),
  {
    type: "total",
    display_text: parts.tax > 0 && parts.isTaxIncluded ? "Total, including tax" : "Total",
    amount: parts.total,
  },
];

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

export function totalsOfQuote(quote: Quote): Total[] {
  const itemsDiscount = sumOf(quote.items.map(({ discount }) => toMinor(discount)));
  return totalsOf({
    subtotal: toMinor(quote.subtotal),
    itemsDiscount,
    shippingDiscount: toMinor(quote.discount_total) - itemsDiscount,
    shipping: quote.shipping_method && toMinor(quote.shipping_total),
    tax: toMinor(quote.tax_total),
    isTaxIncluded: quote.prices_include_tax,
    total: toMinor(quote.total),
  });
}

export const totalsOfOrder = (order: OrderRow): Total[] =>
  totalsOf({
    subtotal: order.subtotal,
    itemsDiscount: order.discountTotal - order.shippingDiscount,
    shippingDiscount: order.shippingDiscount,
    shipping: order.shippingMethod && order.shippingTotal,
    tax: order.taxTotal,
    isTaxIncluded: order.pricesIncludeTax,
    total: order.total,
  });

const totalsOfLine = (total: number, discount: number): Total[] => [
  { type: "subtotal", display_text: "Subtotal", amount: total },
  ...(discount > 0 ? [{ type: "items_discount", display_text: "Discounts", amount: -discount }] : []),
  { type: "total", display_text: "Total", amount: total - discount },
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
