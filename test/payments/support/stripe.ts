import Stripe from "stripe";
import { toStripeAmount } from "../../../src/checkout/payments/amounts.ts";
import { shopCurrency, toMinor } from "../../../src/domain/money.ts";
import { type Answer, callWith } from "../../support/call.ts";
import { RETURN_URL } from "./shop.ts";

/** Secrets that enable Stripe. Use one account per file, because Stripe's idempotency keys belong to an account. */
export const stripeAccount = (name: string) => ({
  STRIPE_SECRET_KEY: `sk_test_${name}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${name}`,
  CHECKOUT_RETURN_URL: RETURN_URL,
});

let events = 0;

type StripeSession = { order: { reference: string; total: number }; id?: string } & Record<string, unknown>;

/** A Stripe event about the session of an order. */
export const stripeEvent = (type: string, { order, id = `evt_${++events}`, ...more }: StripeSession): string =>
  JSON.stringify({
    id,
    object: "event",
    type: `checkout.session.${type}`,
    data: {
      object: {
        object: "checkout.session",
        payment_status: "paid",
        payment_intent: `pi_${order.reference}`,
        amount_total: toStripeAmount(toMinor(order.total), shopCurrency()),
        currency: shopCurrency().toLowerCase(),
        client_reference_id: order.reference,
        metadata: { order_reference: order.reference },
        ...more,
      },
    },
  });

type Told = { payload: string; secret?: string; timestamp?: number; sentAs?: string };

/** Sends a signed webhook as Stripe does. */
export async function tellStripe(
  secrets: Partial<ReturnType<typeof stripeAccount>>,
  { payload, secret = secrets.STRIPE_WEBHOOK_SECRET ?? "", timestamp = Date.now() / 1000, sentAs = payload }: Told,
): Promise<Answer> {
  const cryptoProvider = Stripe.createSubtleCryptoProvider();
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp, cryptoProvider });
  const headers = { "Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature };
  return callWith(secrets, "POST https://shop.test/api/v1/webhooks/stripe", { body: sentAs, headers });
}

/** Pays an order at Stripe. */
export const payByStripe = (secrets: ReturnType<typeof stripeAccount>, order: StripeSession["order"]) =>
  tellStripe(secrets, { payload: stripeEvent("completed", { order }) });
