import { type PaymentMethod, type ProviderName, paymentTerms } from "../../domain/payment-methods.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { paypal } from "./paypal.ts";
import type { PaymentProvider } from "./provider.ts";
import { stripe } from "./stripe.ts";

/** The enabled providers: those whose secrets are set. */
export function providers({
  stripe: stripeAccount,
  paypal: paypalAccount,
}: Settings): Partial<Record<ProviderName, PaymentProvider>> {
  return {
    ...(stripeAccount && { stripe: stripe(stripeAccount) }),
    ...(paypalAccount && { paypal: paypal(paypalAccount) }),
  };
}

/** Returns the provider of a payment method. Undefined if the method has none, or its provider is disabled. */
export function providerFor(settings: Settings, method: PaymentMethod): PaymentProvider | undefined {
  const { provider } = paymentTerms[method];
  return provider === null ? undefined : providers(settings)[provider];
}
