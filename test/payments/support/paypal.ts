import { createHash } from "node:crypto";
import { type Answer, callWith } from "../../support/call.ts";
import { RETURN_URL } from "./shop.ts";

export const paypalAccount = (name: string) => ({
  PAYPAL_CLIENT_ID: `client-${name}`,
  PAYPAL_CLIENT_SECRET: "secret",
  PAYPAL_WEBHOOK_ID: `WH${name}`,
  CHECKOUT_RETURN_URL: RETURN_URL,
});

let events = 0;

/** An event of PayPal. It contains a number (1.0) that parsing and serializing would change. */
export const paypalEvent = (event_type: string, resource: unknown, id = `WH-${++events}`): string =>
  `{"id":"${id}", "event_version":1.0, "event_type":"${event_type}", "resource":${JSON.stringify(resource)}}`;

type Order = { reference: string; total: number; payment: { reference: string } };

const amountOf = ({ total }: Order) => ({ currency_code: "USD", value: total.toFixed(2) });

export const approval = (order: Order, id?: string): string => {
  const unit = { reference_id: order.reference, custom_id: order.reference, amount: amountOf(order) };
  return paypalEvent("CHECKOUT.ORDER.APPROVED", { id: order.payment.reference, purchase_units: [unit] }, id);
};

export const captureOf = (order: Order, more: Record<string, unknown> = {}) => ({
  id: `CAP-${order.payment.reference}`,
  amount: amountOf(order),
  custom_id: order.reference,
  ...more,
});

/** Sends a webhook as PayPal does, with the headers that its API verifies. */
export function tellPaypal(
  secrets: Partial<ReturnType<typeof paypalAccount>>,
  payload: string,
  {
    sentAs = payload,
    webhookId = secrets.PAYPAL_WEBHOOK_ID ?? "",
    ...wrong
  }: { sentAs?: string; webhookId?: string } & Record<string, string> = {},
): Promise<Answer> {
  const [id, time] = [crypto.randomUUID(), "2026-11-01T10:00:00Z"];
  const signed = createHash("sha256").update([id, time, webhookId, payload].join("|"));
  const headers = {
    "Content-Type": "application/json",
    "PayPal-Auth-Algo": "SHA256withRSA",
    "PayPal-Cert-Url": "https://api.paypal.com/v1/notifications/certs/CERT-1",
    "PayPal-Transmission-Id": id,
    "PayPal-Transmission-Sig": signed.digest("hex"),
    "PayPal-Transmission-Time": time,
    ...wrong,
  };
  return callWith(secrets, "POST https://shop.test/api/v1/webhooks/paypal", { body: sentAs, headers });
}
