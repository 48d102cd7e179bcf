import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { accountPurpose } from "../../../src/checkout/payments/accounts.ts";
import type { AccountProvider } from "../../../src/domain/payment-methods.ts";
import { sealedColumns } from "../../../src/platform/auth/seal.ts";
import { paymentAccounts } from "../../../src/platform/db/schema.ts";
import { db, settings } from "../../support/shop.ts";

export const storedAccount = (provider: AccountProvider) =>
  db.select().from(paymentAccounts).where(eq(paymentAccounts.provider, provider)).get();

const accounts = {
  stripe: { secretKey: "sk_test_stored", webhookSecret: "whsec_stored", profileId: null, apiUrl: env.STRIPE_API_URL },
  paypal: { clientId: "client-stored", clientSecret: "secret", webhookId: "WH1", apiUrl: env.PAYPAL_API_URL },
};

/** Stores an account as if an administrator had connected it. Returns its id. */
export async function aPaymentAccount(provider: AccountProvider): Promise<number> {
  const shown = { provider, keyEnd: "ored", live: false, baseUrl: "https://shop.test", webhookId: "WH1" };
  const sealed = sealedColumns(settings.linkSecrets, accountPurpose(provider), accounts[provider]);
  const row = { ...shown, ...sealed, createdAt: 1, updatedAt: 1 };
  const [stored] = await db.insert(paymentAccounts).values(row).returning({ id: paymentAccounts.id });
  return stored?.id ?? 0;
}
