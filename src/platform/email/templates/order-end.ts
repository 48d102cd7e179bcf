import * as z from "zod";
import { formatMoney } from "../../../domain/money.ts";
import { methodOf, OrderContent, orderLines, orderLink, orderTemplate, sampleOrder } from "./order.ts";
import { type Block, template } from "./template.ts";

export const orderCancelled = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} was cancelled`,
    blocks: [
      `Your order at ${letter.shop} was cancelled, and nothing more of it will be sent.`,
      order.refundedTotal > 0
        ? `What you paid, ${formatMoney(order.refundedTotal, order.currency)}, goes back ${wayBack(order)}.`
        : "You were charged nothing for it.",
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
        ? `We held your order at ${letter.shop} until the time to pay it was over. You were charged nothing for it: order again whenever you like.`
        : "It has been paid since: there is nothing to do.",
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
      `We have sent ${formatMoney(amount, currency)} back ${wayBack(order)}.`,
      ...(order.paymentProvider === null ? [] : ["Until it shows up there, some days may pass."]),
      ...refundedSoFar(order),
      ...orderLink(letter, order),
    ],
  }),
});

/** All refunds of the order, if they include tax. */
const refundedSoFar = ({ refundedTotal, refundedTax, currency }: OrderContent): Block[] => {
  if (refundedTax === 0) return [];
  const [total, tax] = [formatMoney(refundedTotal, currency), formatMoney(refundedTax, currency)];
  return [{ facts: { "Refunded in all": `${total}, of it tax ${tax}` } }];
};

/** Refunds go back to the original payment method. */
const wayBack = (order: OrderContent): string =>
  order.paymentMethod === "wallet" ? "to your wallet at the shop" : `the way you paid: by ${methodOf(order)}`;
