import * as z from "zod";
import type { StripeAccount } from "../../platform/settings/payments.ts";
import { toStripeAmount } from "./amounts.ts";
import { type PayableOrder, type PaymentProvider, RefundFailed } from "./provider.ts";
import { askStripe } from "./stripe-api.ts";
import { readStripeEvent } from "./stripe-events.ts";

/**
 * Margin, because Stripe rejects a session that ends within 30 minutes of its arrival, and our orders live exactly that long.
 */
const EDGE_SECONDS = 60;

const Opened = z.object({ id: z.string(), url: z.url() });

const Refunded = z.object({ id: z.string(), status: z.string().nullable() });

/** Card payments with Stripe Checkout: the buyer pays on Stripe's page, and a webhook reports it. */
export const stripe = (account: StripeAccount): PaymentProvider => ({
  name: "stripe",

  async open(order) {
    const session = sessionFor(order, account);
    const { id, url } = await askStripe(account, "/v1/checkout/sessions", session, order.number, Opened);
    return { provider: "stripe", reference: id, url };
  },

  readEvent: (request, { findOrder }) => readStripeEvent(request, account.webhookSecret, findOrder),

  async close(reference) {
    const path = `/v1/checkout/sessions/${encodeURIComponent(reference)}/expire`;
    await askStripe(account, path, {}, `expire-${reference}`, z.object({ id: z.string() }));
  },

  async refund({ id, reference, amount, currency, refundId, orderNumber, failures }) {
    const asked = {
      payment_intent: reference,
      amount: toStripeAmount(amount, currency),
      // Returned with the event that reports a failed refund.
      metadata: { order_number: orderNumber, refund: refundId, failures },
    };
    const refund = await askStripe(account, "/v1/refunds", asked, id, Refunded);
    if (refund.status === "failed" || refund.status === "canceled") throw new RefundFailed(refund.status);
    return refund.id;
  },
});

/**
 * Returns identical parameters for repeated calls with one order, because Stripe rejects an idempotency key with other
 * parameters.
 */
function sessionFor(order: PayableOrder, { returnUrl }: StripeAccount) {
  const { number, expiresAt } = order;
  const back = returnUrl.replaceAll("{number}", number);
  const metadata = { order_number: number };
  return {
    mode: "payment",
    line_items: lineItems(order),
    client_reference_id: number,
    metadata,
    payment_intent_data: { metadata },
    expires_at: Math.ceil(expiresAt / 1000) + EDGE_SECONDS,
    success_url: back,
    cancel_url: back,
  };
}

/** Line items that Stripe accepts in one session. */
const MAX_LINE_ITEMS = 100;

/**
 * Amounts paid for each line, for shipping and as tax. A discount does not divide evenly among units, so a line is one item.
 */
function lineItems({ number, total, currency, lines, shipping, shippingDiscount, taxAdded }: PayableOrder) {
  const parts = [
    ...lines.map(({ name, quantity, unitPrice, discount }) => ({
      name: quantity === 1 ? name : `${quantity} × ${name}`,
      amount: quantity * unitPrice - discount,
    })),
    { name: "Shipping", amount: shipping - shippingDiscount },
    { name: "Tax", amount: taxAdded },
  ].filter(({ amount }) => amount > 0);
  const items = parts.length > MAX_LINE_ITEMS ? [{ name: `Order ${number}`, amount: total }] : parts;
  return items.map(({ name, amount }) => ({
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripeAmount(amount, currency),
      product_data: { name },
    },
  }));
}
