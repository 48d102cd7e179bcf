import { createHmac } from "node:crypto";
import { text } from "node:stream/consumers";
import { handle, ok } from "../../../test/payments/stand-in/http.ts";
import { stripeHandlers } from "../../../test/payments/stand-in/stripe.ts";
import { listen } from "../../listen.ts";
import type { Shop } from "./shop.ts";

/** Responses to the requests that connect an account, at Stripe and at PayPal. */
const connecting = (secret: string): Record<string, object> => ({
  "GET /v1/account": { id: "acct_1Example", settings: { dashboard: { display_name: "Lamp & Co" } } },
  "GET /v1/webhook_endpoints?limit=100": { data: [] },
  "POST /v1/webhook_endpoints": { id: "we_1Example", secret },
  "POST /v1/oauth2/token": { access_token: "A21.example", expires_in: 32_400 },
  "GET /v1/notifications/webhooks": { webhooks: [] },
  "POST /v1/notifications/webhooks": { id: "WH1Example", url: "https://shop.example", event_types: [] },
  "DELETE /v1/notifications/webhooks/WH1Example": {},
});

/** A stand-in for Stripe, with the secret of its webhook: its address, the fields of the last refund requested, and its answers. */
export async function startStripe(secret: string) {
  const refund = new URLSearchParams();
  const answers = connecting(secret);
  const server = await listen(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    const body = await text(request);
    if (line === "POST /v1/refunds") for (const [name, value] of new URLSearchParams(body)) refund.set(name, value);
    const known = answers[line];
    const answer = known ? ok(known) : handle(stripeHandlers, { line, headers: request.headers, body });
    response.writeHead(answer?.status ?? 404, { "Content-Type": "application/json" }).end(JSON.stringify(answer?.body));
  });
  return { ...server, refund, secret, answers };
}

export type Stripe = Awaited<ReturnType<typeof startStripe>>;

/** Sends a signed event as Stripe does. */
export const tell = (
  shop: Shop,
  { secret }: Stripe,
  tellBy: "record" | "ask",
  event: { id: string; type: string; object: object },
) => {
  const body = { id: event.id, type: event.type, data: { object: event.object } };
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret)
    .update(`${time}.${JSON.stringify(body)}`)
    .digest("hex");
  return shop[tellBy]("receivePaymentWebhook", {
    path: { provider: "stripe" },
    headers: { "Stripe-Signature": `t=${time},v1=${signature}` },
    body,
  });
};

/** A Stripe event about no order of this shop. */
export const hearFromStripe = (shop: Shop, stripe: Stripe) =>
  tell(shop, stripe, "record", { id: "evt_1Example", type: "customer.created", object: { id: "cus_Example" } });

type PlacedOrder = { reference: string; total: number };

const sessionOf = ({ reference, total }: PlacedOrder, paymentStatus: string) => ({
  payment_status: paymentStatus,
  payment_intent: `pi_${reference}`,
  amount_total: Math.round(total * 100),
  currency: "usd",
  metadata: { order_reference: reference },
});

/** A bank refuses to pay for an order. */
export const failPayment = (shop: Shop, stripe: Stripe, order: PlacedOrder) =>
  tell(shop, stripe, "ask", {
    id: `evt_failed_${order.reference}`,
    type: "checkout.session.async_payment_failed",
    object: sessionOf(order, "unpaid"),
  });

export const pay = (shop: Shop, stripe: Stripe, order: PlacedOrder) =>
  tell(shop, stripe, "ask", {
    id: `evt_paid_${order.reference}`,
    type: "checkout.session.completed",
    object: sessionOf(order, "paid"),
  });

/** A buyer disputes the payment of an order at the bank. */
export function disputePayment(shop: Shop, stripe: Stripe, { reference, total }: PlacedOrder) {
  const payment = { payment_intent: `pi_${reference}`, amount: Math.round(total * 100), currency: "usd" };
  const object = { id: `du_${reference}`, ...payment, status: "needs_response", reason: "fraudulent" };
  return tell(shop, stripe, "ask", { id: `evt_disputed_${reference}`, type: "charge.dispute.created", object });
}

/** A bank rejects the last refund. */
export function failRefund(shop: Shop, stripe: Stripe) {
  const metadata = Object.fromEntries(
    ["order_reference", "refund", "failures"].map((name) => [name, stripe.refund.get(`metadata[${name}]`)]),
  );
  const object = { metadata, failure_reason: "expired_or_canceled_card" };
  return tell(shop, stripe, "ask", { id: "evt_refund_failed", type: "refund.failed", object });
}
