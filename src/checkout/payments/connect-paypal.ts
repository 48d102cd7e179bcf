import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { PaypalAccount } from "../../platform/settings/payments.ts";
import type { Connection } from "./accounts.ts";
import { paypalEvents } from "./paypal.ts";
import { askPaypal, PaypalRefusal } from "./paypal-api.ts";

const Key = z.string().regex(/^[\w-]{1,200}$/, "must be a key as PayPal shows it");

export const PaypalKeys = z
  .strictObject({
    client_id: Key.describe("Client ID of the app at PayPal"),
    client_secret: Key,
    live: z.boolean().describe("False if the app belongs to PayPal's sandbox, where no money moves"),
  })
  .meta({ id: "PaypalKeys" });
export type PaypalKeys = z.output<typeof PaypalKeys>;

/** The sandbox has an address of its own. */
const apiUrlOf = (paypalUrl: string, live: boolean): string =>
  paypalUrl.replace(/api-m\.(sandbox\.)?paypal\.com/, live ? "api-m.paypal.com" : "api-m.sandbox.paypal.com");

/** https://developer.paypal.com/api/webhooks/v1 */
const WEBHOOKS = "/v1/notifications/webhooks";
const Webhook = z.object({ id: z.string(), url: z.string(), event_types: z.array(z.object({ name: z.string() })) });
const Webhooks = z.object({ webhooks: z.array(Webhook) });

/** Checks the keys with calls, and registers the webhook. PayPal allows one for each URL of an app. */
export async function connectPaypal(
  paypalUrl: string,
  { client_id: clientId, client_secret: clientSecret, live }: PaypalKeys,
  url: string,
): Promise<Connection> {
  const keys = { clientId, clientSecret, apiUrl: apiUrlOf(paypalUrl, live) };
  try {
    const { webhooks } = await askPaypal(keys, WEBHOOKS, Webhooks, {});
    const existing = webhooks.find((webhook) => webhook.url === url);
    const { id } = existing ? await withEvents(keys, existing) : await register(keys, url);
    return {
      isNew: existing === undefined,
      shown: { accountId: clientId, name: null, webhookId: id },
      account: { ...keys, webhookId: id },
      outdated: [],
    };
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error;
    const words =
      error.status === 401
        ? "was refused by PayPal. Copy both keys of the app again, and check the mode"
        : `cannot tell PayPal where to report payments (${url}): the shop needs a public address`;
    throw badRequest(fieldError("client_secret", "invalid", words));
  }
}

type Keys = Omit<PaypalAccount, "webhookId">;

const eventTypes = paypalEvents.map((name) => ({ name }));

const register = (keys: Keys, url: string) =>
  askPaypal(keys, WEBHOOKS, Webhook, { body: JSON.stringify({ url, event_types: eventTypes }) });

/** Adds missing events to a webhook. PayPal refuses a change that changes nothing. */
async function withEvents(keys: Keys, webhook: z.output<typeof Webhook>) {
  const names = webhook.event_types.map(({ name }) => name);
  if (names.includes("*") || paypalEvents.every((name) => names.includes(name))) return webhook;
  const body = JSON.stringify([{ op: "replace", path: "/event_types", value: eventTypes }]);
  return askPaypal(keys, `${WEBHOOKS}/${webhook.id}`, Webhook, { method: "PATCH", body });
}

export const deletePaypalWebhook = (keys: Keys, id: string): Promise<unknown> =>
  askPaypal(keys, `${WEBHOOKS}/${encodeURIComponent(id)}`, z.unknown(), { method: "DELETE" });
