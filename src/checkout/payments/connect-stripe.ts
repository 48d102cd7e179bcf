import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { StripeAccount } from "../../platform/settings/payments.ts";
import type { Connection } from "./accounts.ts";
import { stripeEvents } from "./stripe.ts";
import { API_VERSION, askStripe, StripeRefused } from "./stripe-api.ts";

export const StripeKeys = z
  .strictObject({
    secret_key: z
      .string()
      .max(300)
      .regex(/^[sr]k_(live|test)_\w+$/, "must be a secret or restricted key, such as sk_live_…")
      .describe("Secret key of the account, or a restricted key. The key decides between live and test mode"),
  })
  .meta({ id: "StripeKeys" });
export type StripeKeys = z.output<typeof StripeKeys>;

/** https://docs.stripe.com/api/accounts/object */
const Account = z.object({
  id: z.string(),
  settings: z.object({ dashboard: z.object({ display_name: z.string().nullish() }) }).nullish(),
});

/** https://docs.stripe.com/api/webhook_endpoints. The secret is only returned at creation. */
const ENDPOINTS = "/v1/webhook_endpoints";
const NewEndpoint = z.object({ id: z.string(), secret: z.string() });
const Endpoints = z.object({ data: z.array(z.object({ id: z.string(), url: z.string() })) });

/** Checks the key with calls, and registers the webhook. */
export async function connectStripe(
  apiUrl: string,
  { secret_key: secretKey }: StripeKeys,
  url: string,
): Promise<Connection> {
  const keys = { secretKey, apiUrl };
  try {
    const account = await findStripeAccount(keys);
    // Listed first, so that a webhook of another connection at the same time is not taken for an earlier one.
    const { data: listed } = await askStripe({ ...keys, method: "GET" }, `${ENDPOINTS}?limit=100`, {}, "", Endpoints);
    const endpoint = { url, enabled_events: stripeEvents, api_version: API_VERSION };
    const { id, secret } = await askStripe(keys, ENDPOINTS, endpoint, crypto.randomUUID(), NewEndpoint);
    const name = account?.settings?.dashboard.display_name ?? null;
    return {
      isNew: true,
      shown: { accountId: account?.id ?? null, name, webhookId: id },
      account: { ...keys, webhookSecret: secret, profileId: null },
      outdated: listed.flatMap((each) => (each.url === url ? [each.id] : [])),
    };
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error;
    const words =
      error.status === 401
        ? "was refused by Stripe. Copy it again"
        : `cannot tell Stripe where to report payments (${url}): the key needs permission to write webhook endpoints, and the shop a public address`;
    throw badRequest(fieldError("secret_key", "invalid", words));
  }
}

type Keys = Pick<StripeAccount, "secretKey" | "apiUrl">;

/** Restricted keys cannot always read their account (https://github.com/stripe/stripe-node/issues/2246). */
const findStripeAccount = (keys: Keys) =>
  askStripe({ ...keys, method: "GET" }, "/v1/account", {}, "", Account).catch((error: unknown) => {
    if (error instanceof StripeRefused && error.status === 403) return undefined;
    throw error;
  });

export const deleteStripeWebhook = (keys: Keys, id: string): Promise<unknown> =>
  askStripe({ ...keys, method: "DELETE" }, `${ENDPOINTS}/${encodeURIComponent(id)}`, {}, "", z.unknown());
