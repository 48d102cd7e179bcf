import type { paymentMethods } from "../db/schema.ts";
import type { Settings } from "../settings/settings.ts";
import { paypal } from "./paypal.ts";
import type { PaymentProvider, ProviderName } from "./provider.ts";
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

/** Who takes the money of a method. None for the wallet, or while the method's provider is off. */
export function providerFor(settings: Settings, method: (typeof paymentMethods)[number]): PaymentProvider | undefined {
  const { stripe: card, paypal: account } = providers(settings);
  return { wallet: undefined, credit_card: card, paypal: account }[method];
}
