import type { Child } from "hono/jsx";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { includedTax, totalLines } from "../../domain/total-lines.ts";
import { Money } from "../kit/money.tsx";

/** What the items come to, part by part, and what of it went back. */
export const Total = ({ order }: { order: OrderRow }) => {
  const money = (minor: number) => <Money minor={minor} currency={order.currency} />;
  const parts = totalLines(order);
  return (
    <dl class="total">
      {parts.length > 0 &&
        [{ text: "Subtotal", minor: order.subtotal }, ...parts].map(({ text, minor }) => (
          <Line text={text}>{money(minor)}</Line>
        ))}
      <Line text="Total">
        <strong>{money(order.total)}</strong>
      </Line>
      {includedTax(order).map(({ text, minor }) => (
        <Line text={`Includes ${text}`}>{money(minor)}</Line>
      ))}
      {order.taxExemptReason !== null && <Line text="Exempt from tax">{order.taxExemptReason}</Line>}
      {order.refundedTotal > 0 && <Line text="Refunded">{money(order.refundedTotal)}</Line>}
      {order.refundedShipping > 0 && <Line text="Includes shipping">{money(order.refundedShipping)}</Line>}
      {order.refundedTax > 0 && <Line text="Includes tax">{money(order.refundedTax)}</Line>}
    </dl>
  );
};

const Line = ({ text, children }: { text: string; children: Child }) => (
  <div>
    <dt>{text}</dt>
    <dd>{children}</dd>
  </div>
);
