import type { OrderRow } from "../../../checkout/orders/schemas.ts";
import { formatMoney } from "../../../domain/money.ts";
import { describeOptions } from "../../../domain/option-values.ts";
import { laterLabel, paymentLabel } from "../../../domain/payment-methods.ts";
import { formatPercent } from "../../../domain/percent.ts";
import { includedTax, totalLines } from "../../../domain/total-lines.ts";
import { capitalized } from "../../../platform/administration/resource.ts";
import { isPaidLater } from "../../../platform/db/order-payment.ts";
import { formatDay } from "../../kit/dates.tsx";
import { Lines, linesOfAddress } from "../../kit/values.tsx";
import { Party, type Sender, SheetHead, TestMark } from "./paper.tsx";

type OrderProps = { order: OrderRow; sender: Sender };

/** An order without an invoice, with taxes by rate, payment, and refunds. */
export const OrderSheet = ({ order, sender }: OrderProps) => (
  <section class="sheet">
    <SheetHead title={`Order ${order.number}`} sender={sender}>
      <p>{formatDay(order.paidAt ?? order.createdAt)}</p>
      <TestMark orders={[order]} />
    </SheetHead>
    <div class="parties">
      <Party title="Bill to">{billedTo(order)}</Party>
      {order.shippingAddress && (
        <Party title="Ship to">
          <Lines lines={linesOfAddress(order.shippingAddress, order.country)} />
        </Party>
      )}
      <Party title="Payment">
        {capitalized(isPaidLater(order) ? laterLabel(order.paymentMethod) : paymentLabel(order))}
        <br />
        {order.paidAt === null ? unpaidLine(order) : `Paid ${formatDay(order.paidAt)}`}
      </Party>
    </div>
    <Items order={order} />
    <Sums order={order} />
    {order.paymentInstructions !== null && (
      <p class="notes">
        <strong>How to pay</strong>
        <br />
        <Lines lines={order.paymentInstructions.split("\n")} />
      </p>
    )}
    {order.taxExemptReason !== null && <p class="notes">Exempt from tax: {order.taxExemptReason}</p>}
  </section>
);

/** The due date of an order that is paid later. Cash on delivery is due with the parcel. */
const unpaidLine = (order: OrderRow): string =>
  isEnded(order)
    ? capitalized(order.status)
    : isPaidLater(order) && order.paymentMethod === "invoice" && order.expiresAt !== null
      ? `Due ${formatDay(order.expiresAt)}`
      : "Not paid yet";

/** Nothing is due for an order that came to nothing. */
const isEnded = ({ status }: OrderRow): boolean => status === "cancelled" || status === "expired";

const billedTo = ({ billingAddress, shippingAddress, country, customerName, customerEmail }: OrderRow) => {
  const address = billingAddress ?? shippingAddress;
  return (
    <Lines
      lines={address ? linesOfAddress(address, country) : [customerName ?? "", customerEmail ?? ""].filter(Boolean)}
    />
  );
};

const Items = ({ order: { items, currency } }: Pick<OrderProps, "order">) => {
  const money = (minor: number) => formatMoney(minor, currency);
  const taxed = items.some(({ tax }) => tax > 0);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="numeric">
            Quantity
          </th>
          <th scope="col" class="numeric">
            Price
          </th>
          {taxed && (
            <th scope="col" class="numeric">
              Tax
            </th>
          )}
          <th scope="col" class="numeric">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr>
            <td>
              {item.name}
              <br />
              <small>{[describeOptions(item.optionValues), item.sku].filter(Boolean).join(" · ")}</small>
            </td>
            <td class="numeric">{item.quantity}</td>
            <td class="numeric">{money(item.unitPrice)}</td>
            {taxed && <td class="numeric">{item.taxLines.map(({ rate }) => formatPercent(rate)).join(" + ")}</td>}
            <td class="numeric">{money(item.total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** The total and its parts, then payments and refunds. */
const Sums = ({ order }: Pick<OrderProps, "order">) => {
  const { currency, total, subtotal, refundedTotal, refundedTax, paidAt } = order;
  const parts = totalLines(order);
  return (
    <table class="sums">
      <tbody>
        {parts.length > 0 && [{ text: "Subtotal", minor: subtotal }, ...parts].map((line) => sum(line, currency))}
        {sum({ text: "Total", minor: total, whole: true }, currency)}
        {includedTax(order).map(({ text, minor }) => sum({ text: `Includes ${text}`, minor }, currency))}
        {refundedTotal > 0 && sum({ text: "Refunded", minor: -refundedTotal }, currency)}
        {refundedTax > 0 && sum({ text: "Includes tax", minor: -refundedTax }, currency)}
        {paidAt === null && !isEnded(order) && sum({ text: "Due", minor: total, whole: true }, currency)}
        {refundedTotal > 0 && sum({ text: "Total after refunds", minor: total - refundedTotal, whole: true }, currency)}
      </tbody>
    </table>
  );
};

const sum = ({ text, minor, whole }: { text: string; minor: number; whole?: boolean }, currency: string) => (
  <tr class={whole ? "whole" : undefined}>
    <td>{text}</td>
    <td class="numeric">{formatMoney(minor, currency)}</td>
  </tr>
);
