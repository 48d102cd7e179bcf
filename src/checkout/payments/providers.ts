import { type PaymentMethod, type ProviderName, paymentTerms } from "../../domain/payment-methods.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { paypal } from "./paypal.ts";
import type { PaymentProvider } from "./provider.ts";
import { stripe } from "./stripe.ts";

/** The providers that are switched on: those whose secrets are set. */
export function providers({
  stripe: stripeAccount,
  paypal: paypalAccount,
}: Settings): Partial<Record<ProviderName, PaymentProvider>> {
  return {
    ...(stripeAccount && { stripe: stripe(stripeAccount) }),
    ...(paypalAccount && { paypal: paypal(paypalAccount) }),
  };
}

/** Who takes the money of a method. Nobody while the method's provider is off, or where it has none. */
export function providerFor(settings: Settings, method: PaymentMethod): PaymentProvider | undefined {
  const { provider } = paymentTerms[method];
  return provider === null ? undefined : providers(settings)[provider];
}
