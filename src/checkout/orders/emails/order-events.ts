import * as z from "zod";
import { addressLines } from "../../../domain/address.ts";
import { isPaidManually, webAddress } from "../../../domain/payment-methods.ts";
import { isPaidLater } from "../../../platform/db/order-payment.ts";
import type { Sentence } from "../../../platform/email/messages.ts";
import { type Block, type Letter, linkTo, template } from "../../../platform/email/template.ts";
import {
  byMethod,
  itemLine,
  methodOf,
  OrderContent,
  orderLines,
  orderLink,
  orderTemplate,
  orderVariables,
  sampleOrder,
  withdrawalLink,
} from "./order.ts";

const orderCancelled = orderTemplate(
  (letter, order) => ({
    subject: "Your order {order} was cancelled",
    introduction: "Your order at {shop} was cancelled. Nothing more will be shipped.",
    blocks: [
      order.refundedTotal > 0
        ? letter.say("We are refunding {amount} {destination}.", {
            amount: letter.money(order.refundedTotal, order.currency),
            destination: destinationOf(letter, order),
          })
        : letter.say("You were not charged."),
      orderLines(letter, order),
      ...orderLink(letter, order),
    ],
  }),
  { status: "cancelled", refundedTotal: sampleOrder.total, refundedTax: 5225 },
);

const orderExpired = orderTemplate(
  (letter, order) => ({
    subject: "Your order {order} was not paid in time",
    introduction: "Your order at {shop} was not paid in time.",
    blocks: [
      letter.say(
        order.paidAt === null
          ? "The order has expired. You were not charged, and you can order again at any time."
          : "The order has been paid in the meantime. You do not need to do anything.",
      ),
      orderLines(letter, order),
    ],
  }),
  { status: "expired", paidAt: null },
);

/** The amount of this refund in minor units; money in another currency stays in that currency. */
const refundSent = template({
  page: null,
  params: z.object({ order: OrderContent, amount: z.int(), currency: z.string() }),
  sample: { order: { ...sampleOrder, refundedTotal: 2900, refundedTax: 483 }, amount: 2900, currency: "USD" },
  content: (letter, { order, amount, currency }) => ({
    subject: "Your refund for order {order}",
    introduction: "We have refunded {amount} {destination}.",
    variables: {
      ...orderVariables(letter, order),
      amount: letter.money(amount, currency),
      destination: destinationOf(letter, order),
    },
    blocks: [
      ...(order.paymentProvider === null ? [] : [letter.say("It can take a few days to appear on your statement.")]),
      ...refundedSoFar(letter, order),
      ...orderLink(letter, order),
    ],
  }),
});

/** All refunds of the order, if they include tax. */
const refundedSoFar = (letter: Letter, { refundedTotal, refundedTax, currency }: OrderContent): Block[] => {
  if (refundedTax === 0) return [];
  const [amount, tax] = [letter.money(refundedTotal, currency), letter.money(refundedTax, currency)];
  return [{ facts: { [letter.say("Total refunded")]: letter.say("{amount}, including {tax} tax", { amount, tax }) } }];
};

/** Refunds go back to the original payment method. */
const destinationOf = (letter: Letter, order: OrderContent): string =>
  order.paymentMethod === "wallet"
    ? letter.say("to your wallet at the shop")
    : byMethod(letter, order, ["to your original payment method", "to your original payment method, {method}"]);

const unpaid = {
  status: "pending",
  paidAt: null,
  paymentUrl: "https://checkout.example/pay/cs_123",
  expiresAt: Date.UTC(2030, 0, 31, 12, 30),
} as const;

const orderConfirmation = orderTemplate(
  (letter, order) => ({
    subject: "Your order {order} at {shop}",
    introduction: "Thank you for your order.",
    // A page that can change is no durable medium (directive 2011/83/EU, article 8 (7); BGB § 312f (2); CJEU, C-49/11).
    blocks: [...wholeOrder(letter, order), ...order.legalTexts],
  }),
  {
    ...unpaid,
    paymentMethod: "bank_transfer",
    paymentProvider: null,
    paymentUrl: null,
    paymentInstructions: "Your instructions, such as your bank details. Set them on the page “Payments”.",
  },
);

const orderEdited = orderTemplate(
  (letter, order) => ({
    subject: "Your order {order} was changed",
    introduction: "{shop} has changed your order. Here is the updated order.",
    blocks: wholeOrder(letter, order),
  }),
  unpaid,
);

const paymentReceived = orderTemplate((letter, order) => ({
  subject: "Payment received for order {order}",
  ...paymentIntroduction(letter, order, [
    "We have received your payment of {total}.",
    "We have received your payment of {total} by {method}.",
  ]),
  blocks: [...next(letter, order), orderLines(letter, order), ...delivery(letter, order), ...orderLink(letter, order)],
}));

const paymentFailed = orderTemplate(
  (letter, order) => ({
    subject: "Your payment for order {order} failed",
    ...paymentIntroduction(letter, order, [
      "Your payment of {total} failed.",
      "Your payment of {total} by {method} failed.",
    ]),
    blocks: [...state(letter, order), orderLines(letter, order)],
  }),
  unpaid,
);

/** The second introduction, or the first if buyer and shop arrange the payment. */
const paymentIntroduction = (letter: Letter, order: OrderContent, [without, by]: [Sentence, Sentence]) => ({
  introduction: isPaidManually(order) ? without : by,
  variables: { method: methodOf(letter, order) },
});

/** The buyer's consent to downloads during the withdrawal period. */
const CONSENT =
  "You asked for your downloads to be available at once, and know that you lose your right of withdrawal from a download once you use it.";

/** How to pay, the items and totals, where they are shipped, and a link. */
const wholeOrder = (letter: Letter, order: OrderContent): Block[] => [
  ...state(letter, order),
  orderLines(letter, order),
  ...delivery(letter, order),
  // Without this confirmation the right of withdrawal stays (directive 2011/83/EU, articles 8 (7) (b) and 16 (m)).
  ...(order.downloadConsent ? [letter.say(CONSENT)] : []),
  // This link is a guest's only way to the order.
  ...(isPayable(order) && !order.isGuest ? withdrawalLink(letter, order) : orderLink(letter, order)),
];

/** States that it is paid, or how to pay. */
function state(letter: Letter, order: OrderContent): Block[] {
  const { say } = letter;
  const { status, expiresAt, paymentInstructions } = order;
  if (order.paidAt !== null) return [byMethod(letter, order, ["Paid.", "Paid by {method}."]), ...next(letter, order)];
  if (isPaidLater(order)) return [...toPayLater(letter, order), ...next(letter, order)];
  if (status !== "pending")
    return [say(status === "expired" ? "The order was not paid in time." : "The order was cancelled.")];
  const until = expiresAt === null ? [] : [say("It is reserved until {date}.", { date: letter.moment(expiresAt) })];
  if (isPayable(order))
    return [
      [say("Your order is waiting for payment. Please pay with the button below."), ...until].join(" "),
      ...linkTo(say("Pay now"), payUrl(order)),
    ];
  const waiting = byMethod(letter, order, [
    "Your order is waiting for payment.",
    "Your order is waiting for payment by {method}.",
  ]);
  if (paymentInstructions !== null)
    return [[waiting, ...until].join(" "), ...instructions(letter, paymentInstructions)];
  return [[waiting, say("Please follow the shop's instructions to pay."), ...until].join(" ")];
}

/** The amount to pay for an order that ships before payment, and how to pay it. */
function toPayLater(letter: Letter, order: OrderContent): Block[] {
  const { paymentMethod, expiresAt, paymentInstructions } = order;
  const total = letter.money(order.total, order.currency);
  const date = expiresAt === null ? "" : letter.moment(expiresAt);
  return [
    paymentMethod === "cash"
      ? letter.say("You pay {total} as cash on delivery.", { total })
      : letter.say(date ? "You pay {total} by invoice until {date}." : "You pay {total} by invoice.", { total, date }),
    ...instructions(letter, paymentInstructions),
  ];
}

const instructions = ({ say }: Letter, text: string | null): Block[] =>
  text === null ? [] : [{ facts: { [say("How to pay")]: text } }];

/** Accepts only web addresses, whatever the row contains. */
const payUrl = ({ paymentUrl }: OrderContent): string | null => webAddress(paymentUrl);

const isPayable = (order: OrderContent): boolean => order.status === "pending" && payUrl(order) !== null;

const next = ({ say }: Letter, { status, fulfillmentStatus }: OrderContent): Block[] =>
  status === "processing" && fulfillmentStatus === "unfulfilled"
    ? [say("We will e-mail you when your order ships.")]
    : [];

function delivery({ say, language }: Letter, { shippingAddress, country }: OrderContent): Block[] {
  if (shippingAddress === null) return [];
  return [{ facts: { [say("Ship to")]: addressLines(shippingAddress, country, language).join(", ") } }];
}

/** Texts by the parcel's part of the order. */
const parcelTexts = {
  whole: {
    subject: "Your order {order} is on its way",
    introduction: "We have shipped your order from {shop}.",
  },
  part: {
    subject: "Part of your order {order} is on its way",
    introduction: "We have shipped part of your order from {shop}.",
  },
  rest: {
    subject: "The rest of your order {order} is on its way",
    introduction: "We have shipped the rest of your order from {shop}.",
  },
} as const;

const orderShipped = orderTemplate(
  (letter, order) => ({
    ...parcelTexts[order.shipment?.part ?? "whole"],
    blocks: [
      ...(order.shipment?.part === "part" ? [letter.say("We will e-mail you when the rest ships.")] : []),
      ...(isPaidLater(order) ? toPayLater(letter, order) : []),
      ...tracking(letter, order),
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

function tracking({ say }: Letter, { shipment }: OrderContent): Block[] {
  if (!shipment) return [];
  const { carrier, tracking_number, tracking_url } = shipment;
  const number = tracking_number === null ? {} : { [say("Tracking number")]: tracking_number };
  const isSecure = tracking_url?.startsWith("https://");
  return [
    { facts: { [say("Carrier")]: carrier, ...number } },
    ...linkTo(say("Track parcel"), isSecure ? tracking_url : null),
  ];
}

/** Contents of the parcel. */
const sent = ({ shipment }: OrderContent): Block => ({
  lines: (shipment?.items ?? []).map(itemLine),
});

export const orderEventTemplates = {
  order_confirmation: orderConfirmation,
  order_edited: orderEdited,
  payment_received: paymentReceived,
  payment_failed: paymentFailed,
  order_shipped: orderShipped,
  order_cancelled: orderCancelled,
  order_expired: orderExpired,
  refund_sent: refundSent,
};
