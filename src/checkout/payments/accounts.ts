import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { AccountProvider, ConnectedAccounts } from "../../domain/payment-methods.ts";
import { unseal } from "../../platform/auth/seal.ts";
import type { Database } from "../../platform/db/client.ts";
import { MAX_REFUND_FAILURES, orders, paymentAccounts, refunds } from "../../platform/db/schema.ts";
import { reseal } from "../../platform/queues/reseal.ts";
import type { PaypalAccount, StripeAccount } from "../../platform/settings/payments.ts";
import type { Secrets, Settings } from "../../platform/settings/settings.ts";
import { providerUnreachable } from "./provider.ts";

export type PaymentAccountRow = typeof paymentAccounts.$inferSelect;

/** An account whose keys were checked, its webhook there, whether it `isNew`, and webhooks that it replaces. */
export type Connection = {
  isNew: boolean;
  shown: Pick<PaymentAccountRow, "accountId" | "name" | "webhookId">;
  account: StripeAccount | PaypalAccount;
  outdated: string[];
};

export const accountPurpose = (provider: string) => ["payment account", provider] as const;

export const findAccount = (db: Database, provider: AccountProvider): Promise<PaymentAccountRow | undefined> =>
  db.select().from(paymentAccounts).where(eq(paymentAccounts.provider, provider)).get();

export const readAccounts = (db: Database): Promise<PaymentAccountRow[]> => db.select().from(paymentAccounts).all();

export const connectedAccounts = (rows: readonly PaymentAccountRow[]): ConnectedAccounts =>
  Object.fromEntries(rows.map(({ provider, live }) => [provider, live]));

export const providerNames: Record<AccountProvider, string> = { stripe: "Stripe", paypal: "PayPal" };

/**
 * Decrypts a connected account. A shop that was restored without its LINK_SECRET cannot: its payments are refused as if the provider
 * was out of reach, until an administrator connects the account again.
 */
export function openAccount(
  { linkSecrets }: Pick<Settings, "linkSecrets">,
  { provider, sealed }: PaymentAccountRow,
): StripeAccount | PaypalAccount {
  try {
    return unseal(linkSecrets, accountPurpose(provider), sealed);
  } catch {
    throw providerUnreachable(
      providerNames[provider],
      `The keys of the ${provider} account were encrypted under another LINK_SECRET. Connect the account again in the panel.`,
    );
  }
}

/** True if the account's keys can be decrypted. */
export function isReadable(settings: Pick<Settings, "linkSecrets">, account: PaymentAccountRow): boolean {
  try {
    return Boolean(openAccount(settings, account));
  } catch {
    return false;
  }
}

/** True if an account receives money, false in test mode. */
export const isLive = (account: StripeAccount | PaypalAccount): boolean =>
  "secretKey" in account ? account.secretKey.includes("_live_") : !account.apiUrl.includes("sandbox");

/** The part of a key that is shown. */
export const keyEndOf = (account: StripeAccount | PaypalAccount): string =>
  ("secretKey" in account ? account.secretKey : account.clientSecret).slice(-4);

/** Number of payments that buyers have begun, and of refunds that were not sent. Only the current account can complete them. */
export async function countOpenPayments(db: Database, provider: AccountProvider): Promise<number> {
  const ofProvider = eq(orders.paymentProvider, provider);
  const isUnsent = and(
    isNull(refunds.reference),
    lt(refunds.failures, sql.raw(String(MAX_REFUND_FAILURES))),
    sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${orders.id} = ${refunds.orderId} AND ${ofProvider})`,
  );
  const isBegun = and(eq(orders.status, "pending"), ofProvider);
  const [begun, unsent] = await Promise.all([db.$count(orders, isBegun), db.$count(refunds, isUnsent)]);
  return begun + unsent;
}

export const resealAccounts = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  reseal(db, secrets, now, {
    queue: "seal_payment_accounts",
    id: paymentAccounts.id,
    nameColumn: paymentAccounts.provider,
    purposeOf: accountPurpose,
  });
