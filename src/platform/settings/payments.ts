import * as z from "zod";
import { misconfigured } from "./misconfigured.ts";

export type StripeAccount = { secretKey: string; webhookSecret: string; apiUrl: string; returnUrl: string };
export type PaypalAccount = {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  apiUrl: string;
  returnUrl: string;
};

/** Null while the provider is off because none of its secrets is set. */
export type PaymentSettings = { stripe: StripeAccount | null; paypal: PaypalAccount | null };

const Url = z.url("is not an address");

export const paymentBindings = {
  CHECKOUT_RETURN_URL: z.string().default(""),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: Url,
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  PAYPAL_API_URL: Url,
};

type Bindings = z.output<z.ZodObject<typeof paymentBindings>>;

export const readPaymentSettings = (bindings: Bindings): PaymentSettings => ({
  stripe: account(
    bindings,
    { secretKey: "STRIPE_SECRET_KEY", webhookSecret: "STRIPE_WEBHOOK_SECRET" },
    bindings.STRIPE_API_URL,
  ),
  paypal: account(
    bindings,
    { clientId: "PAYPAL_CLIENT_ID", clientSecret: "PAYPAL_CLIENT_SECRET", webhookId: "PAYPAL_WEBHOOK_ID" },
    bindings.PAYPAL_API_URL,
  ),
});

type SecretName = Extract<
  keyof Bindings,
  `${"STRIPE" | "PAYPAL"}_${"SECRET_KEY" | "CLIENT_ID" | "CLIENT_SECRET" | `WEBHOOK_${string}`}`
>;

/** Returns a provider's account, or null if none of its secrets is set. Throws if only some are. */
function account<Name extends string>(bindings: Bindings, names: Record<Name, SecretName>, apiUrl: string) {
  const secrets = Object.entries<SecretName>(names).map(([name, binding]) => ({
    name,
    binding,
    secret: bindings[binding],
  }));
  if (secrets.every(({ secret }) => !secret)) return null;
  const missing = secrets.find(({ secret }) => !secret);
  if (missing) throw misconfigured(missing.binding, "is missing while the provider's other secrets are set");
  const { success, data: returnUrl } = Url.safeParse(bindings.CHECKOUT_RETURN_URL);
  if (!success) throw misconfigured("CHECKOUT_RETURN_URL", "is not an address. Buyers return to it after paying");
  const known = Object.fromEntries(secrets.map(({ name, secret }) => [name, secret])) as Record<Name, string>;
  return { ...known, apiUrl, returnUrl };
}
