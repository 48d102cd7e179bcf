import {
  type ConnectedAccounts,
  type PaymentMethod,
  type ProviderName,
  paymentTerms,
} from "../../domain/payment-methods.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { orderLinkToken } from "../../platform/auth/order-link.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { findAccount, openAccount } from "./accounts.ts";
import { paypal } from "./paypal.ts";
import type { PaymentProvider, ReturnUrl } from "./provider.ts";
import { stripe } from "./stripe.ts";
import { testCard } from "./test-card.ts";

type ProviderContext = Pick<WriteContext, "db" | "settings">;

/**
 * Returns a provider if it is enabled. The account is that of the deployment's secrets, or else the one that an administrator
 * connected. The test provider is enabled for orders of test keys.
 */
export async function findProvider(ctx: ProviderContext, name: ProviderName): Promise<PaymentProvider | undefined> {
  const { settings } = ctx;
  if (name === "test") return settings.sandbox ? testCard(ctx, settings.sandbox.baseUrl) : undefined;
  const stored = settings[name] ? undefined : await findAccount(ctx.db, name);
  const account = stored ? openAccount(settings, stored) : settings[name];
  if (!account) return undefined;
  const returnUrl = returnUrlOf(settings, stored?.baseUrl);
  return "secretKey" in account ? stripe(account, returnUrl) : paypal(account, returnUrl);
}

/** The shop's own page, or else the Worker's page of a guest's order. */
function returnUrlOf({ returnUrl, email, linkSecrets }: Settings, baseUrl?: string): ReturnUrl {
  const page = email.orderUrl ?? email.shopUrl ?? `${baseUrl}/account/order`;
  return (reference) => {
    if (returnUrl !== "") return returnUrl.replaceAll("{reference}", reference);
    const url = new URL(page.replaceAll("{reference}", reference));
    url.searchParams.set("token", orderLinkToken(linkSecrets, { reference, linkVersion: 0 }));
    return url.href;
  };
}

/** True if a provider collects the money of the method. */
export function isPaidOnline(settings: Settings, accounts: ConnectedAccounts, method: PaymentMethod): boolean {
  const { provider } = paymentTerms[method];
  if (provider === null) return false;
  return provider === "test" ? settings.sandbox !== null : settings[provider] !== null || provider in accounts;
}

/** Returns the provider of a payment method. Undefined if the method has none, or its provider is disabled. */
export async function providerFor(ctx: ProviderContext, method: PaymentMethod): Promise<PaymentProvider | undefined> {
  const { provider } = paymentTerms[method];
  return provider === null ? undefined : findProvider(ctx, provider);
}
