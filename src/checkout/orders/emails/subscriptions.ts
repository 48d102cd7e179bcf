import * as z from "zod";
import { Timestamp } from "../../../domain/fields.ts";
import { type Block, type Letter, linkTo, template } from "../../../platform/email/template.ts";
import { itemLine, OrderContent, orderVariables, sampleOrder } from "./order.ts";

const ofOrder = (letter: Letter, order: OrderContent, at: string) => ({
  ...orderVariables(letter, order),
  date: letter.moment(Date.parse(at)),
});

const changeLink = (letter: Letter, order: OrderContent): Block[] =>
  linkTo(letter.say("Change your card or cancel"), letter.orderUrl(order));

const subscriptionRenewing = template({
  page: null,
  params: z.object({ order: OrderContent, renewsAt: Timestamp }),
  sample: { order: sampleOrder, renewsAt: "2031-01-31T12:00:00.000Z" },
  content: (letter, { order, renewsAt }) => {
    const variables = ofOrder(letter, order, renewsAt);
    return {
      subject: "Your subscription will renew on {date}",
      introduction: "Your subscription from order {order} will renew for {total}.",
      variables,
      blocks: [
        { facts: { [letter.say("Cancel before")]: variables.date } },
        { lines: order.items.map(itemLine) },
        ...changeLink(letter, order),
      ],
    };
  },
});

const renewalFailed = template({
  page: null,
  params: z.object({ order: OrderContent, accessUntil: Timestamp }),
  sample: { order: sampleOrder, accessUntil: "2030-02-03T12:00:00.000Z" },
  content: (letter, { order, accessUntil }) => ({
    subject: "Your subscription could not be renewed",
    introduction: "The payment of {total} to renew your subscription from order {order} failed.",
    variables: ofOrder(letter, order, accessUntil),
    blocks: [
      letter.say("Your access ends on {date} unless the payment succeeds. Please check your card.", {
        date: letter.moment(Date.parse(accessUntil)),
      }),
      { lines: order.items.map(itemLine) },
      ...changeLink(letter, order),
    ],
  }),
});

/** Confirms a cancellation with its content, the time at which it arrived and the end, as BGB § 312k (4) requires. */
const subscriptionCancelled = template({
  page: null,
  params: z.object({ order: OrderContent, cancelledAt: Timestamp.nullable(), endsAt: Timestamp }),
  sample: { order: sampleOrder, cancelledAt: "2030-01-15T09:30:00.000Z", endsAt: "2030-01-31T12:00:00.000Z" },
  content: (letter, { order, cancelledAt, endsAt }) => {
    const variables = ofOrder(letter, order, endsAt);
    return {
      subject: "Your subscription ends on {date}",
      introduction: "The subscription from order {order} was cancelled. Nothing more will be charged.",
      variables,
      blocks: [
        {
          facts: {
            ...(cancelledAt !== null && { [letter.say("Cancelled on")]: letter.moment(Date.parse(cancelledAt)) }),
            [letter.say("Ends on")]: variables.date,
          },
        },
        { lines: order.items.map(itemLine) },
        ...linkTo(letter.say("View your order"), letter.orderUrl(order)),
      ],
    };
  },
});

export const subscriptionTemplates = {
  subscription_renewing: subscriptionRenewing,
  renewal_failed: renewalFailed,
  subscription_cancelled: subscriptionCancelled,
};
