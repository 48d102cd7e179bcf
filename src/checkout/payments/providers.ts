import { type PaymentMethod, type ProviderName, paymentTerms } from "../../domain/payment-methods.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { paypal } from "./paypal.ts";
import type { PaymentProvider } from "./provider.ts";
import { stripe } from "./stripe.ts";
import { testCard } from "./test-card.ts";

type ProviderContext = Pick<WriteContext, "db" | "settings">;

/** The enabled providers: those whose secrets are set, and the test provider, which orders of test keys use. */
export function providers(ctx: ProviderContext): Partial<Record<ProviderName, PaymentProvider>> {
  const { stripe: stripeAccount, paypal: paypalAccount, sandbox } = ctx.settings;
  return {
    ...(stripeAccount && { stripe: stripe(stripeAccount) }),
    ...(paypalAccount && { paypal: paypal(paypalAccount) }),
    ...(sandbox && { test: testCard(ctx, sandbox.baseUrl) }),
  };
}

/** Returns the provider of a payment method. Undefined if the method has none, or its provider is disabled. */
export function providerFor(ctx: ProviderContext, method: PaymentMethod): PaymentProvider | undefined {
  const { provider } = paymentTerms[method];
  return provider === null ? undefined : providers(ctx)[provider];
}
