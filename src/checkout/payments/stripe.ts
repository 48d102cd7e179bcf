import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { RenewalInterval } from "../../platform/db/schema.ts";
import { log } from "../../platform/http/log.ts";
import type { StripeAccount } from "../../platform/settings/payments.ts";
import { isLive } from "./accounts.ts";
import { fromStripeAmount, toStripeAmount } from "./amounts.ts";
import {
  type Dispute,
  type FindOrder,
  type PayableOrder,
  type Payment,
  PaymentDeclined,
  type PaymentEvent,
  type PaymentProvider,
  RefundFailed,
  type RefundFailure,
  type ReturnUrl,
  type SubscriptionEvent,
} from "./provider.ts";
import { signedJson } from "./signature.ts";
import { askStripe, StripeRefused } from "./stripe-api.ts";
import {
  endSubscription,
  isSubscription,
  stripeSubscriptions,
  subscriptionEvents,
  subscriptionOf,
} from "./stripe-subscriptions.ts";

/**
 * Margin, because Stripe rejects a session that ends within 30 minutes of its arrival, and our orders live exactly that long.
 */
const EDGE_SECONDS = 60;

const SessionResponse = z.object({ id: z.string(), url: z.url() });

/** A payment intent, whose answer to a capture has the amount. */
const Intent = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int(),
  currency: z.string().toUpperCase(),
});

const INTENTS = "/v1/payment_intents";

/** The first API version with shared payment tokens, which are a preview: https://docs.stripe.com/api/shared-payment/granted-token */
const PREVIEW_VERSION = "2026-04-22.preview";

/** Statuses of a confirmation that the agent's token caused. Everything else in the request is the shop's. */
const CAUSED_BY_TOKEN = [400, 402, 404];

const StripeRefund = z.object({ id: z.string(), status: z.string().nullable() });

/**
 * Card payments. With Stripe Checkout, the buyer pays on Stripe's page, and a webhook reports it. Agents send shared
 * payment tokens: https://docs.stripe.com/agentic-commerce/concepts/shared-payment-tokens
 */
export const stripe = (account: StripeAccount, returnUrl: ReturnUrl): PaymentProvider => ({
  name: "stripe",
  isTest: !isLive(account),

  async open(order) {
    const session = sessionFor(order, returnUrl(order.reference));
    const { id, url } = await askStripe(account, "/v1/checkout/sessions", session, order.requestId, SessionResponse);
    return { provider: "stripe", reference: id, url };
  },

  readEvent: (request, { findOrder }) => readStripeEvent(request, account.webhookSecret, findOrder),

  async close(reference) {
    if (isSubscription(reference)) return endSubscription(account, reference);
    const id = encodeURIComponent(reference);
    const path = reference.startsWith("pi_") ? `${INTENTS}/${id}/cancel` : `/v1/checkout/sessions/${id}/expire`;
    await askStripe(account, path, {}, `expire-${reference}`, z.object({ id: z.string() }));
  },

  subscriptions: stripeSubscriptions(account, returnUrl),

  charges: {
    async prepare({ reference, requestId, total, currency }) {
      const intent = {
        amount: toStripeAmount(total, currency),
        currency: currency.toLowerCase(),
        capture_method: "manual",
        payment_method_types: ["card"],
        metadata: { order_reference: reference },
      };
      return (await askStripe(account, INTENTS, intent, `prepare-${requestId}`, Intent)).id;
    },

    async authorize(reference, token) {
      const path = `${INTENTS}/${encodeURIComponent(reference)}/confirm`;
      // A bank that asks for the buyer declines, because nobody is there to answer it.
      const asked = { payment_method_data: { shared_payment_granted_token: token }, error_on_requires_action: "true" };
      const preview = { ...account, apiVersion: PREVIEW_VERSION };
      const { status } = await askStripe(preview, path, asked, `confirm-${reference}`, Intent).catch(
        (error: unknown) => {
          if (!(error instanceof StripeRefused) || !CAUSED_BY_TOKEN.includes(error.status)) throw error;
          log("error", { message: "an agent's payment was declined", payment: reference, cause: error.message });
          throw new PaymentDeclined(error.message);
        },
      );
      if (status !== "requires_capture") throw new PaymentDeclined(status);
    },

    async capture(reference) {
      const path = `${INTENTS}/${encodeURIComponent(reference)}/capture`;
      const { amount_received, currency } = await askStripe(account, path, {}, `capture-${reference}`, Intent);
      return { amount: fromStripeAmount(amount_received, currency), currency };
    },
  },

  async refund({ id, reference, amount, currency, refundId, orderReference, failures }) {
    const asked = {
      payment_intent: reference,
      amount: toStripeAmount(amount, currency),
      // Returned with the event that reports a failed refund.
      metadata: { order_reference: orderReference, refund: refundId, failures },
    };
    const refund = await askStripe(account, "/v1/refunds", asked, id, StripeRefund);
    if (refund.status === "failed" || refund.status === "canceled") throw new RefundFailed(refund.status);
    return refund.id;
  },
});

/**
 * Returns identical parameters for repeated calls with one order, because Stripe rejects an idempotency key with other
 * parameters.
 */
function sessionFor(order: PayableOrder, back: string) {
  const { reference, expiresAt, renews } = order;
  const metadata = { order_reference: reference };
  return {
    ...(renews
      ? { mode: "subscription", line_items: recurringItem(order, renews), subscription_data: { metadata } }
      : { mode: "payment", line_items: lineItems(order), payment_intent_data: { metadata } }),
    client_reference_id: reference,
    metadata,
    expires_at: Math.ceil(expiresAt / 1000) + EDGE_SECONDS,
    success_url: back,
    cancel_url: back,
  };
}

/** The total as one price, tax included, so that each renewal charges it again. */
const recurringItem = ({ total, currency, lines, reference }: PayableOrder, interval: RenewalInterval) => [
  {
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripeAmount(total, currency),
      recurring: { interval },
      product_data: { name: lines[0]?.name ?? `Order ${reference}` },
    },
  },
];

/** Line items that Stripe accepts in one session. */
const MAX_LINE_ITEMS = 100;

/**
 * Amounts paid for each line, for shipping and as tax. A discount does not divide evenly among units, so a line is one item.
 */
function lineItems({ reference, total, currency, lines, shipping, shippingDiscount, taxAdded }: PayableOrder) {
  const parts = [
    ...lines.map(({ name, quantity, unitPrice, discount }) => ({
      name: quantity === 1 ? name : `${quantity} × ${name}`,
      amount: quantity * unitPrice - discount,
    })),
    { name: "Shipping", amount: shipping - shippingDiscount },
    { name: "Tax", amount: taxAdded },
  ].filter(({ amount }) => amount > 0);
  const items = parts.length > MAX_LINE_ITEMS ? [{ name: `Order ${reference}`, amount: total }] : parts;
  return items.map(({ name, amount }) => ({
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripeAmount(amount, currency),
      product_data: { name },
    },
  }));
}

const stripePayments: Record<string, Payment["kind"]> = {
  "checkout.session.completed": "paid",
  "checkout.session.async_payment_succeeded": "paid",
  "checkout.session.async_payment_failed": "failed",
  "payment_intent.succeeded": "paid",
};

const REFUND_FAILED = "refund.failed";

/** https://docs.stripe.com/disputes/how-disputes-work */
const DISPUTE_OPENED = "charge.dispute.created";
const DISPUTE_CLOSED = "charge.dispute.closed";

/** Types of events that are read here. */
export const stripeEvents = [
  ...Object.keys(stripePayments),
  REFUND_FAILED,
  DISPUTE_OPENED,
  DISPUTE_CLOSED,
  ...subscriptionEvents,
];

const Event = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.unknown() }) });

/** A session opened here. The account may serve other shops, whose sessions do not name our orders. */
const OurSession = z.object({ metadata: z.object({ order_reference: z.string() }) });

const PaidSession = OurSession.extend({
  payment_status: z.string(),
  payment_intent: z.string(),
  amount_total: z.int(),
  currency: z.string().toUpperCase(),
});

/** The event of a captured intent says what the answer to the capture said, in case that was lost. */
const CapturedIntent = Intent.extend(OurSession.shape).transform(({ id, amount_received, ...intent }) => ({
  ...intent,
  payment_status: "paid",
  payment_intent: id,
  amount_total: amount_received,
}));

const WholeText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** A refund requested here. Its event returns the metadata that was sent with it. */
const OurRefund = z.object({
  metadata: z.object({ order_reference: z.string(), refund: WholeText, failures: WholeText }),
  failure_reason: z.string().nullish(),
});

/** https://docs.stripe.com/api/disputes/object. Disputes of charges without an intent are not the shop's. */
const OurDispute = z.object({
  id: z.string(),
  payment_intent: z.string(),
  amount: z.int(),
  currency: z.string().toUpperCase(),
  status: z.string(),
  reason: z.string(),
});

/** Reads a Stripe event after verifying its signature. */
async function readStripeEvent(
  request: Request,
  secret: string,
  find: FindOrder,
): Promise<PaymentEvent | SubscriptionEvent | Dispute | null> {
  const { id, type, data } = read(
    Event,
    await signedJson(request, { name: "Stripe-Signature", sender: "Stripe", secrets: [secret] }),
  );
  if (type === REFUND_FAILED) return toRefundFailure(id, data.object);
  if (type === DISPUTE_OPENED || type === DISPUTE_CLOSED) return toDispute(type, data.object);
  const subscription = subscriptionOf(type, data.object);
  if (subscription) return { kind: "subscription", subscription };
  const kind = stripePayments[type];
  if (!kind || !OurSession.safeParse(data.object).success) return null;
  const session = type.startsWith("payment_intent.")
    ? read(CapturedIntent, data.object)
    : read(PaidSession, data.object);
  // With delayed payment methods, the session completes first, and the money arrives or fails days later.
  if (kind === "paid" && session.payment_status !== "paid") return null;
  const { payment_intent: reference, amount_total, currency, metadata } = session;
  const order = await find(metadata.order_reference);
  if (!order) log("error", { message: "a payment names no order", provider: "stripe", event: id });
  return order ? { id, kind, order, reference, amount: fromStripeAmount(amount_total, currency), currency } : null;
}

function toRefundFailure(id: string, refund: unknown): RefundFailure | null {
  const { data } = OurRefund.safeParse(refund);
  if (!data) return null;
  const { order_reference, refund: refundId, failures } = data.metadata;
  const reason = data.failure_reason ?? null;
  return { id, kind: "refund_failed", refundId, orderReference: order_reference, failures, reason };
}

function toDispute(type: string, dispute: unknown): Dispute | null {
  const { data } = OurDispute.safeParse(dispute);
  if (!data) return null;
  const { id, payment_intent: payment, currency, status, reason } = data;
  const state = type === DISPUTE_OPENED ? "opened" : status === "lost" ? "lost" : "closed";
  const amount = fromStripeAmount(data.amount, currency);
  return { id, kind: "dispute", payment, amount, currency, state, reason };
}

function read<Shape>(schema: z.ZodType<Shape>, payload: unknown): Shape {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw badRequest(fieldError("body", "invalid", "is not an event as Stripe sends it"));
  return data;
}
