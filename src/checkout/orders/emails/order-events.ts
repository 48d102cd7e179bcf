import * as z from "zod";
import { addressLines } from "../../../domain/address.ts";
import { formatMoney } from "../../../domain/money.ts";
import { isPaidManually, laterLabel, webAddress } from "../../../domain/payment-methods.ts";
import { formatLongMoment } from "../../../domain/time.ts";
import { isPaidLater } from "../../../platform/db/order-payment.ts";
import { type Block, type Letter, linkTo, template } from "../../../platform/email/template.ts";
import {
  byMethod,
  itemLine,
  methodOf,
  OrderContent,
  orderLines,
  orderLink,
  orderTemplate,
  sampleOrder,
} from "./order.ts";

export const orderCancelled = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} was cancelled`,
    blocks: [
      `Your order at ${letter.shop} was cancelled. Nothing more will be shipped.`,
      order.refundedTotal > 0
        ? `We are refunding ${formatMoney(order.refundedTotal, order.currency)} ${wayBack(order)}.`
        : "You were not charged.",
      orderLines(order),
      ...orderLink(letter, order),
    ],
  }),
  { status: "cancelled", refundedTotal: sampleOrder.total, refundedTax: 5225 },
);

export const orderExpired = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} was not paid in time`,
    blocks: [
      order.paidAt === null
        ? `Your order at ${letter.shop} was not paid in time and has expired. You were not charged, and you can order again at any time.`
        : "The order has been paid in the meantime. You do not need to do anything.",
      orderLines(order),
    ],
  }),
  { status: "expired", paidAt: null },
);

/** The amount of this refund in minor units; money in another currency stays in that currency. */
export const refundSent = template({
  page: null,
  params: z.object({ order: OrderContent, amount: z.int(), currency: z.string() }),
  sample: { order: { ...sampleOrder, refundedTotal: 2900, refundedTax: 483 }, amount: 2900, currency: "USD" },
  content: (letter, { order, amount, currency }) => ({
    subject: `Your refund for order ${order.number}`,
    blocks: [
      `We have refunded ${formatMoney(amount, currency)} ${wayBack(order)}.`,
      ...(order.paymentProvider === null ? [] : ["It can take a few days to appear on your statement."]),
      ...refundedSoFar(order),
      ...orderLink(letter, order),
    ],
  }),
});

/** All refunds of the order, if they include tax. */
const refundedSoFar = ({ refundedTotal, refundedTax, currency }: OrderContent): Block[] => {
  if (refundedTax === 0) return [];
  const [total, tax] = [formatMoney(refundedTotal, currency), formatMoney(refundedTax, currency)];
  return [{ facts: { "Total refunded": `${total}, including ${tax} tax` } }];
};

/** Refunds go back to the original payment method. */
const wayBack = (order: OrderContent): string =>
  order.paymentMethod === "wallet"
    ? "to your wallet at the shop"
    : ["to your original payment method", ...(isPaidManually(order) ? [] : [methodOf(order)])].join(", ");

const unpaid = {
  status: "pending",
  paidAt: null,
  paymentUrl: "https://checkout.example/pay/cs_123",
  expiresAt: Date.UTC(2030, 0, 31, 12, 30),
} as const;

export const orderConfirmation = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} at ${letter.shop}`,
    blocks: ["Thank you for your order.", ...wholeOrder(letter, order)],
  }),
  {
    ...unpaid,
    paymentMethod: "bank_transfer",
    paymentProvider: null,
    paymentUrl: null,
    paymentInstructions: "Your instructions, such as your bank details. Set them on the page “Payments”.",
  },
);

export const orderEdited = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} was changed`,
    blocks: [`${letter.shop} has changed your order. Here is the updated order.`, ...wholeOrder(letter, order)],
  }),
  unpaid,
);

export const paymentReceived = orderTemplate((letter, order) => ({
  subject: `Payment received for order ${order.number}`,
  blocks: [
    `We have received your payment of ${formatMoney(order.total, order.currency)}${byMethod(order)}.`,
    ...next(order),
    orderLines(order),
    ...delivery(order),
    ...orderLink(letter, order),
  ],
}));

export const paymentFailed = orderTemplate(
  (_letter, order) => ({
    subject: `Your payment for order ${order.number} failed`,
    blocks: [
      `Your payment of ${formatMoney(order.total, order.currency)}${byMethod(order)} failed.`,
      ...state(order),
      orderLines(order),
    ],
  }),
  unpaid,
);

/** How to pay, the items and totals, where they are shipped, and a link. */
const wholeOrder = (letter: Letter, order: OrderContent): Block[] => [
  ...state(order),
  orderLines(order),
  ...delivery(order),
  // This link is a guest's only way to the order.
  ...(isPayable(order) && !order.isGuest ? [] : orderLink(letter, order)),
];

/** States that it is paid, or how to pay. */
function state(order: OrderContent): Block[] {
  if (order.paidAt !== null) return [`Paid${byMethod(order)}.`, ...next(order)];
  if (isPaidLater(order)) return [...toPayLater(order), ...next(order)];
  if (order.status !== "pending")
    return [`The order was ${order.status === "expired" ? "not paid in time" : "cancelled"}.`];
  const until = order.expiresAt === null ? "" : ` It is reserved until ${formatLongMoment(order.expiresAt)}.`;
  if (isPayable(order))
    return [
      `Your order is waiting for payment. Please pay with the button below.${until}`,
      ...linkTo("Pay now", payUrl(order)),
    ];
  const { paymentInstructions: instructions } = order;
  if (instructions !== null)
    return [`Your order is waiting for payment${byMethod(order)}.${until}`, { facts: { "How to pay": instructions } }];
  return [`Your order is waiting for payment${byMethod(order)}. Please follow the shop's instructions to pay.${until}`];
}

/** The amount to pay for an order that ships before payment, and how to pay it. */
function toPayLater({ total, currency, paymentMethod, expiresAt, paymentInstructions }: OrderContent): Block[] {
  const amount = formatMoney(total, currency);
  const until = expiresAt === null ? "" : ` until ${formatLongMoment(expiresAt)}`;
  return [
    paymentMethod === "cash"
      ? `You pay ${amount} as ${laterLabel(paymentMethod)}.`
      : `You pay ${amount} by ${laterLabel(paymentMethod)}${until}.`,
    ...(paymentInstructions === null ? [] : [{ facts: { "How to pay": paymentInstructions } }]),
  ];
}

/** Accepts only web addresses, whatever the row contains. */
const payUrl = ({ paymentUrl }: OrderContent): string | null => webAddress(paymentUrl);

const isPayable = (order: OrderContent): boolean => order.status === "pending" && payUrl(order) !== null;

const next = ({ status, fulfillmentStatus }: OrderContent): Block[] =>
  status === "processing" && fulfillmentStatus === "unfulfilled" ? ["We will e-mail you when your order ships."] : [];

function delivery({ shippingAddress, country }: OrderContent): Block[] {
  if (shippingAddress === null) return [];
  return [{ facts: { "Ship to": addressLines(shippingAddress, country).join(", ") } }];
}

export const orderShipped = orderTemplate(
  (letter, order) => ({
    subject: `${atStart(partOf(order))} ${order.number} is on its way`,
    blocks: [
      `We have shipped ${partOf(order)} from ${letter.shop}.`,
      ...(order.shipment?.part === "part" ? ["We will e-mail you when the rest ships."] : []),
      ...(isPaidLater(order) ? toPayLater(order) : []),
      ...tracking(order),
      sent(order),
      ...orderLink(letter, order),
    ],
  }),
  {
    status: "shipped",
    fulfillmentStatus: "fulfilled",
    shipment: {
      carrier: "Royal Mail",
      tracking_number: "QX 5512 9047 GB",
      tracking_url: "https://tracking.example/QX551290471GB",
      part: "whole",
      items: [
        { name: "Waxed Canvas Satchel", optionValues: [], quantity: 2 },
        { name: "Brass Desk Lamp", optionValues: [{ name: "Finish", value: "Polished" }], quantity: 1 },
      ],
    },
  },
);

export const downloadsReady = orderTemplate(
  (letter, order) => ({
    subject: `Your downloads from order ${order.number} are ready`,
    blocks: [
      order.isGuest
        ? `Your downloads from ${letter.shop} are ready.`
        : `Your downloads from ${letter.shop} are ready. Sign in to your account to get them.`,
      {
        lines: order.downloads.map(({ name, units, ...rights }) => ({
          text: `${units} × ${name}`,
          detail: allowed(rights),
        })),
      },
      ...orderLink(letter, order),
    ],
  }),
  {
    status: "completed",
    downloads: [
      {
        name: "Field Recordings, Volume 3: Harbours at Night",
        units: 1,
        limit: 5,
        expiresAt: Date.UTC(2030, 1, 28, 12),
      },
      { name: "Halftone Brushes", units: 2, limit: null, expiresAt: null },
    ],
  },
);

/** The parcel's part of the order. */
const parts = { whole: "your order", part: "part of your order", rest: "the rest of your order" };

const partOf = ({ shipment }: OrderContent): string => parts[shipment?.part ?? "whole"];

const atStart = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function tracking({ shipment }: OrderContent): Block[] {
  if (!shipment) return [];
  const { carrier, tracking_number, tracking_url } = shipment;
  const number = tracking_number === null ? {} : { "Tracking number": tracking_number };
  const isSecure = tracking_url?.startsWith("https://");
  return [{ facts: { Carrier: carrier, ...number } }, ...linkTo("Track parcel", isSecure ? tracking_url : null)];
}

/** Contents of the parcel. */
const sent = ({ shipment }: OrderContent): Block => ({
  lines: (shipment?.items ?? []).map(itemLine),
});

const allowed = ({ limit, expiresAt }: Pick<OrderContent["downloads"][number], "limit" | "expiresAt">): string =>
  [limit !== null && `${limit} downloads`, expiresAt !== null && `until ${formatLongMoment(expiresAt)}`]
    .filter(Boolean)
    .join(", ");
