import { Hono } from "hono";
import * as z from "zod";
import { iso, Timestamp } from "../../domain/fields.ts";
import { type AccountProvider, accountProviders } from "../../domain/payment-methods.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administrators } from "../../platform/auth/gates.ts";
import type { Database } from "../../platform/db/client.ts";
import { list, noContent, ok } from "../../platform/http/envelope.ts";
import { PageQuery, pageOfAll } from "../../platform/http/pagination.ts";
import { answers, answersNothing, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { countOpenPayments, findAccount, isLive, keyEndOf } from "./accounts.ts";
import { baseUrlOf, connectAccount, disconnectAccount } from "./connect.ts";
import { PaypalKeys } from "./connect-paypal.ts";
import { StripeKeys } from "./connect-stripe.ts";

const PaymentAccount = z
  .object({
    provider: z.enum(accountProviders),
    source: z
      .enum(["deployment", "administrator"])
      .nullable()
      .describe("`deployment` if the account is set by the deployment's secrets. Null if none is connected"),
    live: z.boolean().nullable().describe("False in test mode, in which no money moves"),
    account_id: z.string().nullable().describe("The provider's id of the account. Null if it is not known"),
    name: z.string().nullable().describe("Name of the account at the provider. Null if it is not known"),
    key_end: z.string().nullable().describe("Last four characters of the secret key"),
    open_payments: z
      .int()
      .describe(
        "Number of payments that buyers have begun, and of refunds that were not sent. They cannot be completed with another account",
      ),
    updated_at: Timestamp.nullable().describe("Time at which the account was connected"),
  })
  .meta({ id: "PaymentAccount" });
export type PaymentAccount = z.output<typeof PaymentAccount>;

export async function readPaymentAccount(
  { db, settings }: { db: Database; settings: Settings },
  provider: AccountProvider,
): Promise<PaymentAccount> {
  const [row, openPayments] = await Promise.all([findAccount(db, provider), countOpenPayments(db, provider)]);
  const own = settings[provider];
  const shown = own ? undefined : row;
  return {
    provider,
    source: own ? "deployment" : row ? "administrator" : null,
    live: own ? isLive(own) : (row?.live ?? null),
    account_id: shown?.accountId ?? null,
    name: shown?.name ?? null,
    key_end: own ? keyEndOf(own) : (row?.keyEnd ?? null),
    open_payments: openPayments,
    updated_at: shown ? iso(shown.updatedAt) : null,
  };
}

const ProviderParam = z.object({ provider: z.enum(accountProviders) });

export const paymentAccountsAdmin = new Hono<AppEnv>()
  .get(
    "/payment-accounts",
    administrators,
    validate("query", PageQuery),
    lists("listPaymentAccounts", "List the accounts at payment providers", PaymentAccount),
    async (c) => {
      const accounts = await Promise.all(accountProviders.map((provider) => readPaymentAccount(c.var, provider)));
      return list(c, "Payment accounts", pageOfAll(c.req.valid("query"), accounts), (account) => account);
    },
  )
  .put(
    "/payment-accounts/stripe",
    administrators,
    validate("json", StripeKeys),
    answers("updateStripeAccount", "Connect a Stripe account", PaymentAccount, {
      refuses: { 409: ["set_by_deployment"] },
    }),
    async (c) => {
      const sent = { provider: "stripe", keys: c.req.valid("json") } as const;
      await connectAccount({ ...writeContextOf(c), baseUrl: baseUrlOf(c) }, sent);
      return ok(c, "Stripe is connected", await readPaymentAccount(c.var, "stripe"));
    },
  )
  .put(
    "/payment-accounts/paypal",
    administrators,
    validate("json", PaypalKeys),
    answers("updatePaypalAccount", "Connect a PayPal account", PaymentAccount, {
      refuses: { 409: ["set_by_deployment"] },
    }),
    async (c) => {
      const sent = { provider: "paypal", keys: c.req.valid("json") } as const;
      await connectAccount({ ...writeContextOf(c), baseUrl: baseUrlOf(c) }, sent);
      return ok(c, "PayPal is connected", await readPaymentAccount(c.var, "paypal"));
    },
  )
  .delete(
    "/payment-accounts/:provider",
    administrators,
    validate("param", ProviderParam),
    answersNothing("deletePaymentAccount", "Disconnect an account at a payment provider"),
    async (c) => {
      await disconnectAccount(writeContextOf(c), c.req.valid("param").provider);
      return noContent(c);
    },
  );
