import * as z from "zod";
import { misconfigured } from "./misconfigured.ts";

/** `profileId` names the account to agents, which issue tokens to it. Null if the shop takes none. */
export type StripeAccount = {
  secretKey: string;
  webhookSecret: string;
  profileId: string | null;
  apiUrl: string;
};
export type PaypalAccount = {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  apiUrl: string;
};

/** The test provider: base URL of its pages. */
export type TestAccount = { baseUrl: string };

/**
 * Null while the provider is off: none of its secrets is set, or the deployment accepts no test payments. `sandbox` is
 * the test provider for orders of test keys. It is null without a URL for its pages.
 */
export type ProviderSettings = {
  stripe: StripeAccount | null;
  paypal: PaypalAccount | null;
  test: TestAccount | null;
  sandbox: TestAccount | null;
  stripeUrl: string;
  paypalUrl: string;
  /** URL to which buyers return after paying, with {reference} as a placeholder. Empty if not set. */
  returnUrl: string;
};

const Url = z.url("is not an address");

export const TrueOrFalse = z
  .enum(["true", "false"], 'is neither "true" nor "false"')
  .transform((text) => text === "true");

export const paymentBindings = {
  CHECKOUT_RETURN_URL: z.string().default(""),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_PROFILE_ID: z.string().optional(),
  STRIPE_API_URL: Url,
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  PAYPAL_API_URL: Url,
  TEST_PAYMENTS: TrueOrFalse,
  STAGING: TrueOrFalse,
};

type Bindings = z.output<z.ZodObject<typeof paymentBindings>>;
type Deployment = { WORKER_URL: string; DEVELOPMENT?: string | undefined };

export const readProviderSettings = (bindings: Bindings & Deployment): ProviderSettings => ({
  stripe: stripeAccount(bindings),
  paypal: account(
    bindings,
    { clientId: "PAYPAL_CLIENT_ID", clientSecret: "PAYPAL_CLIENT_SECRET", webhookId: "PAYPAL_WEBHOOK_ID" },
    bindings.PAYPAL_API_URL,
  ),
  test: bindings.TEST_PAYMENTS ? testAccount(bindings) : null,
  sandbox: bindings.WORKER_URL === "" ? null : { baseUrl: bindings.WORKER_URL },
  stripeUrl: bindings.STRIPE_API_URL,
  paypalUrl: bindings.PAYPAL_API_URL,
  returnUrl: bindings.CHECKOUT_RETURN_URL,
});

function stripeAccount(bindings: Bindings): StripeAccount | null {
  const secrets = { secretKey: "STRIPE_SECRET_KEY", webhookSecret: "STRIPE_WEBHOOK_SECRET" } as const;
  const known = account(bindings, secrets, bindings.STRIPE_API_URL);
  return known && { ...known, profileId: bindings.STRIPE_PROFILE_ID || null };
}

/** Refuses test payments if buyers would get goods without paying. */
function testAccount(bindings: Bindings & Deployment): TestAccount {
  const { STAGING, DEVELOPMENT, WORKER_URL } = bindings;
  if (!STAGING && DEVELOPMENT !== "true") {
    throw misconfigured(
      "TEST_PAYMENTS",
      "is true, but the deployment is no staging one: buyers would pay no money. Turn it off, or set STAGING to true",
    );
  }
  if (WORKER_URL === "") throw misconfigured("WORKER_URL", "is empty. Buyers pay test orders on a page below it");
  return { baseUrl: WORKER_URL };
}

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
  if (!Url.safeParse(bindings.CHECKOUT_RETURN_URL).success)
    throw misconfigured("CHECKOUT_RETURN_URL", "is not an address. Buyers return to it after paying");
  const known = Object.fromEntries(secrets.map(({ name, secret }) => [name, secret])) as Record<Name, string>;
  return { ...known, apiUrl };
}
