import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { log } from "../../platform/http/log.ts";
import type { StripeAccount } from "../../platform/settings/payments.ts";
import { fromStripeAmount, toStripeAmount } from "./amounts.ts";
import {
  type FindOrder,
  isTransient,
  type PayableOrder,
  type Payment,
  type PaymentEvent,
  type PaymentProvider,
  providerUnreachable,
  RefundFailed,
  type RefundFailure,
} from "./provider.ts";
import { signedJson } from "./signature.ts";

/**
 * Margin, because Stripe rejects a session that ends within 30 minutes of its arrival, and our orders live exactly that long.
 */
const EDGE_SECONDS = 60;

const SessionResponse = z.object({ id: z.string(), url: z.url() });

const Refunded = z.object({ id: z.string(), status: z.string().nullable() });

/** Card payments with Stripe Checkout: the buyer pays on Stripe's page, and a webhook reports it. */
export const stripe = (account: StripeAccount): PaymentProvider => ({
  name: "stripe",

  async open(order) {
    const session = sessionFor(order, account);
    const { id, url } = await askStripe(account, "/v1/checkout/sessions", session, order.requestId, SessionResponse);
    return { provider: "stripe", reference: id, url };
  },

  readEvent: (request, { findOrder }) => readStripeEvent(request, account.webhookSecret, findOrder),

  async close(reference) {
    const path = `/v1/checkout/sessions/${encodeURIComponent(reference)}/expire`;
    await askStripe(account, path, {}, `expire-${reference}`, z.object({ id: z.string() }));
  },

  async refund({ id, reference, amount, currency, refundId, orderReference, failures }) {
    const asked = {
      payment_intent: reference,
      amount: toStripeAmount(amount, currency),
      // Returned with the event that reports a failed refund.
      metadata: { order_reference: orderReference, refund: refundId, failures },
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
  const { reference, expiresAt } = order;
  const back = returnUrl.replaceAll("{reference}", reference);
  const metadata = { order_reference: reference };
  return {
    mode: "payment",
    line_items: lineItems(order),
    client_reference_id: reference,
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

// Only two calls and a signature are needed. Stripe's own library would make up a fifth of the Worker.

const TIMEOUT_MS = 10_000;

/** The API version that these requests and responses are written for. Stripe keeps serving it. */
const API_VERSION = "2026-10-28.endive";

type Field = string | number | Fields | Field[];
type Fields = { [name: string]: Field };

/** Sends a change to Stripe. Requests with the same id are executed once, so a request without a response is sent again. */
async function askStripe<Shape>(
  account: StripeAccount,
  path: string,
  fields: Fields,
  requestId: string,
  schema: z.ZodType<Shape>,
): Promise<Shape> {
  const ask = () => post(account, path, fields, requestId);
  const answer = await ask().then((first) => (isTransient(first.status) ? ask() : first), ask);
  if (answer.status >= 400) throw faultOf(answer);
  const { success, data } = schema.safeParse(answer.body);
  if (!success) throw providerUnreachable("Stripe", `Stripe answered ${path} with a body of another shape`);
  return data;
}

type Answer = { status: number; requestId: string | null; body: unknown };

async function post(
  { secretKey, apiUrl }: StripeAccount,
  path: string,
  fields: Fields,
  requestId: string,
): Promise<Answer> {
  try {
    const response = await fetch(new URL(path, apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${secretKey}`, "Stripe-Version": API_VERSION, "Idempotency-Key": requestId },
      body: new URLSearchParams(pairsOf(fields)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.json().catch(() => undefined);
    return { status: response.status, requestId: response.headers.get("Request-Id"), body };
  } catch (error) {
    throw providerUnreachable(
      "Stripe",
      `Stripe did not answer ${path}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Flattens fields into Stripe's form encoding, as in `line_items[0][quantity]`. */
function pairsOf(value: Fields | Field[], path = ""): [name: string, value: string][] {
  return Object.entries(value).flatMap(([name, field]) => {
    const place = path ? `${path}[${name}]` : name;
    return typeof field === "object" ? pairsOf(field, place) : [[place, String(field)]];
  });
}

/** Codes of refunds that Stripe never accepts: https://docs.stripe.com/error-codes */
const REFUSED_FOR_GOOD = ["charge_already_refunded", "charge_disputed", "refund_disputed_payment"];

/** Passes on only Stripe's codes, because its messages may repeat the request, including a part of the key. */
function faultOf({ status, requestId, body }: Answer): Error {
  const error: unknown = Object(Object(body).error);
  const [type, code] = ["type", "code"].map((name) => Reflect.get(Object(error), name));
  const codes = [type, status, code, requestId].filter(Boolean).join(" ");
  if (code === "amount_too_small" || code === "amount_too_large") {
    return badRequest(
      fieldError("payment_method", "payment_not_possible", "cannot pay this total"),
      "The order was not placed, and nothing was charged",
    );
  }
  if (REFUSED_FOR_GOOD.includes(code)) return new RefundFailed(code);
  if (isTransient(status)) return providerUnreachable("Stripe", codes);
  // A wrong key or parameter will not fix itself, so this is a 500 rather than a 503 that asks to retry.
  return new Error(`Stripe refused: ${codes}`);
}

const stripePayments: Record<string, Payment["kind"]> = {
  "checkout.session.completed": "paid",
  "checkout.session.async_payment_succeeded": "paid",
  "checkout.session.async_payment_failed": "failed",
};

const Event = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.unknown() }) });

/** A session opened here. The account may serve other shops, whose sessions do not name our orders. */
const OurSession = z.object({ metadata: z.object({ order_reference: z.string() }) });

const PaidSession = OurSession.extend({
  payment_status: z.string(),
  payment_intent: z.string(),
  amount_total: z.int(),
  currency: z.string().toUpperCase(),
});

const WholeText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** A refund requested here. Its event returns the metadata that was sent with it. */
const OurRefund = z.object({
  metadata: z.object({ order_reference: z.string(), refund: WholeText, failures: WholeText }),
  failure_reason: z.string().nullish(),
});

/** Reads a Stripe event after verifying its signature. */
async function readStripeEvent(request: Request, secret: string, find: FindOrder): Promise<PaymentEvent | null> {
  const { id, type, data } = read(
    Event,
    await signedJson(request, { name: "Stripe-Signature", sender: "Stripe", secrets: [secret] }),
  );
  if (type === "refund.failed") return toRefundFailure(id, data.object);
  const kind = stripePayments[type];
  if (!kind || !OurSession.safeParse(data.object).success) return null;
  const session = read(PaidSession, data.object);
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

function read<Shape>(schema: z.ZodType<Shape>, payload: unknown): Shape {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw badRequest(fieldError("body", "invalid", "is not an event as Stripe sends it"));
  return data;
}
