import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { callWith } from "../support/call.ts";
import { paypalAccount } from "./support/paypal.ts";
import { stripeAccount } from "./support/stripe.ts";

const STRIPE = stripeAccount("settings");
const PAYPAL = paypalAccount("settings");

it("has no provider while no secret is set", () => {
  expect(readSettings(env)).toMatchObject({ stripe: null, paypal: null });
});

it("has the providers whose secrets are set", () => {
  const { stripe, paypal } = readSettings({ ...env, ...STRIPE, ...PAYPAL });
  expect(stripe).toEqual({
    secretKey: STRIPE.STRIPE_SECRET_KEY,
    webhookSecret: STRIPE.STRIPE_WEBHOOK_SECRET,
    profileId: null,
    apiUrl: env.STRIPE_API_URL,
  });
  expect(paypal).toEqual({
    clientId: PAYPAL.PAYPAL_CLIENT_ID,
    clientSecret: PAYPAL.PAYPAL_CLIENT_SECRET,
    webhookId: PAYPAL.PAYPAL_WEBHOOK_ID,
    apiUrl: env.PAYPAL_API_URL,
  });
});

it.each([
  ["STRIPE_SECRET_KEY", STRIPE],
  ["STRIPE_WEBHOOK_SECRET", STRIPE],
  ["PAYPAL_CLIENT_ID", PAYPAL],
  ["PAYPAL_CLIENT_SECRET", PAYPAL],
  ["PAYPAL_WEBHOOK_ID", PAYPAL],
  ["CHECKOUT_RETURN_URL", PAYPAL],
])("refuses a provider that lacks only %s, and names it", async (missing, account) => {
  const secrets = { ...account, [missing]: "" };
  expect(() => readSettings({ ...env, ...secrets })).toThrow(missing);
  expect((await callWith(secrets, "GET /products")).status).toBe(500);
});
