import type { Child } from "hono/jsx";
import type { Quote } from "../../checkout/orders/create/quote.ts";
import { toMinor } from "../../domain/money.ts";
import { toMillionths } from "../../domain/percent.ts";
import { includedTax, totalLines } from "../../domain/total-lines.ts";
import { MoneyAmount } from "./values.tsx";

type TotalsSource = Parameters<typeof totalLines>[0] & {
  currency: string;
  subtotal: number;
  total: number;
  refundedTotal: number;
};

/** The parts of an order's total, from the subtotal to what was refunded. */
export const Totals = ({ order }: { order: TotalsSource }) => {
  const parts = totalLines(order);
  const lines = [
    ...(parts.length > 0 ? [{ text: "Subtotal", minor: order.subtotal }, ...parts] : []),
    { text: "Total", minor: order.total },
    ...includedTax(order).map(({ text, minor }) => ({ text: `Includes ${text}`, minor })),
    ...(order.refundedTotal > 0 ? [{ text: "Refunded", minor: order.refundedTotal }] : []),
  ];
  return (
    <dl class="total">
      {lines.map(({ text, minor }): Child => {
        const amount = <MoneyAmount minor={minor} currency={order.currency} />;
        return (
          <div class={text === "Total" ? "sum" : undefined}>
            <dt>{text}</dt>
            <dd>{text === "Total" ? <strong>{amount}</strong> : amount}</dd>
          </div>
        );
      })}
    </dl>
  );
};

type QuotedTotal = Pick<
  Quote,
  | "currency"
  | "subtotal"
  | "total"
  | "discounts"
  | "shipping_method"
  | "shipping_total"
  | "prices_include_tax"
  | "tax_lines"
>;

/** A quote in minor units, like an order. */
export const pricedOf = (quote: QuotedTotal): TotalsSource => ({
  currency: quote.currency,
  subtotal: toMinor(quote.subtotal),
  total: toMinor(quote.total),
  refundedTotal: 0,
  discounts: quote.discounts.map((discount) => ({ ...discount, amount: toMinor(discount.amount) })),
  shippingMethod: quote.shipping_method,
  shippingTotal: toMinor(quote.shipping_total),
  pricesIncludeTax: quote.prices_include_tax,
  taxLines: quote.tax_lines.map(({ name, rate, amount }) => ({
    name,
    rate: toMillionths(rate),
    amount: toMinor(amount),
  })),
});
