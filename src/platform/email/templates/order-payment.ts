import { addressLines } from "../../../domain/address.ts";
import { formatMoment } from "../../../domain/moment.ts";
import { formatMoney } from "../../../domain/money.ts";
import { methodOf, type OrderContent, orderLines, orderLink, orderTemplate } from "./order.ts";
import { type Block, linkTo } from "./template.ts";

const unpaid = {
  status: "pending",
  paidAt: null,
  paymentUrl: "https://checkout.example/pay/cs_123",
  expiresAt: Date.UTC(2030, 0, 31, 12, 30),
} as const;

export const orderConfirmation = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} at ${letter.shop}`,
    blocks: [
      "Thank you for your order.",
      ...state(order),
      orderLines(order),
      ...delivery(order),
      ...(isPayable(order) ? [] : orderLink(letter, order)),
    ],
  }),
  unpaid,
);

export const paymentReceived = orderTemplate((letter, order) => ({
  subject: `Payment received for order ${order.number}`,
  blocks: [
    `We have received your payment of ${formatMoney(order.total, order.currency)} by ${methodOf(order)}.`,
    ...next(order),
    orderLines(order),
    ...delivery(order),
    ...orderLink(letter, order),
  ],
}));

export const paymentFailed = orderTemplate(
  (_, order) => ({
    subject: `Your payment for order ${order.number} did not go through`,
    blocks: [
      `Your payment of ${formatMoney(order.total, order.currency)} by ${methodOf(order)} did not go through.`,
      ...state(order),
      orderLines(order),
    ],
  }),
  unpaid,
);

/** States that it is paid, or how to pay. */
function state(order: OrderContent): Block[] {
  if (order.paidAt !== null) return [`It is paid by ${methodOf(order)}.`, ...next(order)];
  if (order.status !== "pending") return [`It was ${order.status === "expired" ? "not paid in time" : "cancelled"}.`];
  const until = order.expiresAt === null ? "" : ` We hold it for you until ${formatMoment(order.expiresAt)}.`;
  const how = isPayable(order) ? "with the button below" : `by ${methodOf(order)}, as the shop told you`;
  return [`It waits for your payment. Please pay ${how}.${until}`, ...linkTo("Pay now", payUrl(order))];
}

/** Accepts only web addresses, whatever the row contains. */
const payUrl = ({ paymentUrl }: OrderContent): string | null =>
  paymentUrl?.startsWith("https://") ? paymentUrl : null;

const isPayable = (order: OrderContent): boolean => order.status === "pending" && payUrl(order) !== null;

const next = ({ status, fulfillmentStatus }: OrderContent): Block[] =>
  status === "processing" && fulfillmentStatus === "unfulfilled" ? ["We write again as soon as it is on its way."] : [];

function delivery({ shippingAddress, country }: OrderContent): Block[] {
  if (shippingAddress === null) return [];
  return [{ facts: { "Sent to": addressLines(shippingAddress, country).join(", ") } }];
}
