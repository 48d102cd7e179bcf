import Stripe from "stripe";
import * as z from "zod";
import { badRequest } from "../../errors.ts";
import type { StripeAccount } from "../../settings.ts";
import { toStripeAmount } from "./amounts.ts";
import { outOfReach, passes } from "./faults.ts";
import type { PayableOrder, PaymentProvider } from "./provider.ts";
import { readStripeEvent } from "./stripe-events.ts";

const TIMEOUT_MS = 10_000;
const RETRIES = 1;

/** Stripe takes no session that ends within 30 minutes of its coming, and our orders live just as long. */
const EDGE_SECONDS = 60;

const Opened = z.object({ id: z.string(), url: z.url() });

const Refunded = z.object({ id: z.string(), status: z.string().nullable() });

/** Card payments by Stripe's Checkout: the buyer pays on Stripe's page, and a webhook tells of it. */
export const stripe = (account: StripeAccount): PaymentProvider => ({
  name: "stripe",

  async open(order) {
    const { id, url } = await asking(Opened, () =>
      client(account).checkout.sessions.create(sessionFor(order, account), { idempotencyKey: order.number }),
    );
    return { provider: "stripe", reference: id, url };
  },

  readEvent: (request) => readStripeEvent(request, account.webhookSecret),

  async refund({ id, reference, amount, currency }) {
    const params = { payment_intent: reference, amount: toStripeAmount(amount, currency) };
    const refund = await asking(Refunded, () => client(account).refunds.create(params, { idempotencyKey: id }));
    if (refund.status === "failed" || refund.status === "canceled") throw new Error(`Stripe's refund ${refund.status}`);
    return refund.id;
  },
});

function client({ secretKey, apiUrl }: StripeAccount): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === "http:";
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (isPlain ? "80" : "443"),
    protocol: isPlain ? "http" : "https",
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
  });
}

/** Says the same whenever it is asked for the same order: Stripe refuses an idempotency key with other words. */
function sessionFor({ number, total, currency, expiresAt }: PayableOrder, { returnUrl }: StripeAccount) {
  const back = returnUrl.replaceAll("{number}", number);
  const metadata = { order_number: number };
  return {
    mode: "payment" as const,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(total, currency),
          product_data: { name: `Order ${number}` },
        },
      },
    ],
    client_reference_id: number,
    metadata,
    payment_intent_data: { metadata },
    expires_at: Math.ceil(expiresAt / 1000) + EDGE_SECONDS,
    success_url: back,
    cancel_url: back,
  };
}

/** The library takes whatever has no `error` in it for what was asked for, also the 503 of a proxy on the way. */
async function asking<Shape>(schema: z.ZodType<Shape>, ask: () => Promise<unknown>): Promise<Shape> {
  const answer = await ask().catch((error: unknown) => {
    throw error instanceof Stripe.errors.StripeError ? faultOf(error) : error;
  });
  const { success, data } = schema.safeParse(answer);
  if (!success) throw outOfReach("Stripe", "an answer of another shape");
  return data;
}

/** Stripe's own words may repeat what it was sent, a part of the key included: only its codes are passed on. */
function faultOf({ type, statusCode, code, requestId }: Stripe.errors.StripeError): Error {
  const codes = [type, statusCode, code, requestId].filter(Boolean).join(" ");
  if (code === "amount_too_small" || code === "amount_too_large") {
    return badRequest(
      { payment_method: ["cannot pay this total"] },
      "The order was not placed, and nothing was charged",
    );
  }
  if (statusCode === undefined || passes(statusCode)) return outOfReach("Stripe", codes);
  // A wrong key or parameter will be as wrong in a minute: it is our fault, a 500, and not a 503 that asks to try again.
  return new Error(`Stripe refused: ${codes}`);
}
