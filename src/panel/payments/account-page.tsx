import { type Context, Hono } from "hono";
import * as z from "zod";
import { type PaymentAccount, readPaymentAccount } from "../../checkout/payments/account-routes.ts";
import { findAccount, isReadable, providerNames as names } from "../../checkout/payments/accounts.ts";
import { baseUrlOf, connectAccount, disconnectAccount } from "../../checkout/payments/connect.ts";
import { PaypalKeys } from "../../checkout/payments/connect-paypal.ts";
import { StripeKeys } from "../../checkout/payments/connect-stripe.ts";
import { type AccountProvider, accountProviders } from "../../domain/payment-methods.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { valid } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { When } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { Button, ConfirmButton, Form, Refusal } from "../kit/form.tsx";
import { Card, PageHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";

const secret = { as: "password", required: true, autocomplete: "new-password" } as const;

const stripeInputs = {
  secret_key: {
    ...secret,
    label: "Secret key",
    hint: "In the Stripe dashboard under Developers, API keys. Connect a test key (sk_test_…) to try out the checkout.",
  },
} satisfies FormInputs;

const paypalInputs = {
  client_id: {
    as: "text",
    label: "Client ID",
    required: true,
    hint: "In PayPal's developer dashboard under Apps & Credentials.",
  },
  client_secret: { ...secret, label: "Secret key" },
  live: { as: "flag", label: "Live", hint: "Leave this off for an app of PayPal's sandbox, where no money moves." },
} satisfies FormInputs;

const ProviderParam = z.object({ provider: z.enum(accountProviders) });

const providerOf = (c: Context): AccountProvider => valid(ProviderParam, c.req.param()).provider;

const pathOf = (provider: AccountProvider): string => `/admin/payments/${provider}`;

const PATH = `/payments/:provider{(?:${accountProviders.join("|")})}`;

/** Pages on which administrators connect accounts of payment providers. */
export const paymentAccountPages = new Hono<PanelEnv>()
  .get(PATH, administrators, (c) => accountPage(c, null))
  .post(
    PATH,
    administrators,
    submitForm(accountPage, async (c, sent) => {
      const provider = providerOf(c);
      const ctx = { ...writeContextOf(c), baseUrl: baseUrlOf(c) };
      if (provider === "stripe")
        await connectAccount(ctx, { provider, keys: sent.read(StripeKeys, kindsOf(stripeInputs)) });
      else await connectAccount(ctx, { provider, keys: sent.read(PaypalKeys, kindsOf(paypalInputs)) });
      return `${names[provider]} is connected.`;
    }),
  )
  .post(
    `${PATH}/disconnect`,
    administrators,
    submitForm(accountPage, async (c) => {
      const provider = providerOf(c);
      await disconnectAccount(writeContextOf(c), provider);
      return redirectWithFlash(c, pathOf(provider), `${names[provider]} is disconnected.`);
    }),
  );

async function accountPage(c: Context<PanelEnv>, failed: Failed | null) {
  const provider = providerOf(c);
  const [account, row] = await Promise.all([readPaymentAccount(c.var, provider), findAccount(c.var.db, provider)]);
  const isLost = account.source === "administrator" && row !== undefined && !isReadable(c.var.settings, row);
  const path = pathOf(provider);
  const form = formFor<string>(failed, path, {
    inputs: provider === "stripe" ? stripeInputs : paypalInputs,
    values: provider === "stripe" ? {} : { client_id: account.account_id ?? "", live: account.live ?? true },
  });
  const disconnection = formFor(failed, `${path}/disconnect`);
  const title = `${names[provider]} account`;
  return page(c, title, <AccountPage {...{ title, account, isLost, form, disconnection, failed }} />);
}

type AccountPageProps = {
  title: string;
  account: PaymentAccount;
  /** True if the stored keys cannot be decrypted any more. */
  isLost: boolean;
  form: FormState<string>;
  disconnection: FormState;
  failed: Failed | null;
};

const AccountPage = ({ title, account, isLost, form, disconnection, failed }: AccountPageProps) => {
  const { provider, source, open_payments: open } = account;
  return (
    <>
      <PageHeader title={title} statuses={<AccountStatus live={account.live} />}>
        {source === "administrator" && (
          <ConfirmButton
            form={disconnection}
            label="Disconnect"
            title={`Disconnect ${names[provider]}?`}
            text={`Checkouts no longer offer it, and payments that were made with it cannot be refunded here. ${openWords(open)}`}
          />
        )}
      </PageHeader>
      <Refusal failed={failed} offered={[form.action, disconnection.action]} />
      {isLost && (
        <p class="notice error">
          {names[provider]} cannot be used: the shop was restored without the secret that protects the stored keys.
          Enter the keys again, and payments and refunds continue.
        </p>
      )}
      {source !== null && (
        <section class="card">
          <DescriptionList
            facts={{
              Account: account.name ?? account.account_id ?? undefined,
              "Secret key": `ends in ${account.key_end}`,
              Connected: account.updated_at === null ? undefined : <When at={Date.parse(account.updated_at)} />,
            }}
          />
        </section>
      )}
      {source === "deployment" ? (
        <p>The deployment's secrets set this account. Remove them to connect another one here.</p>
      ) : (
        <Card title={source === null ? "Connect" : "Replace the keys"}>
          {source !== null && (
            <p>{`Payments that were made with another account can no longer be refunded here. ${openWords(open)}`}</p>
          )}
          <Form form={form}>
            <Fields form={form} names={Object.keys(form.inputs)} />
            <Button>Connect</Button>
          </Form>
        </Card>
      )}
    </>
  );
};

/** In test mode no money moves, so the mode is shown next to the state. */
export const AccountStatus = ({ live }: Pick<PaymentAccount, "live">) => (
  <>
    <Badge status={live === null ? "not connected" : "connected"} />
    {live === false && <Badge status="test mode" />}
  </>
);

const openWords = (open: number): string =>
  open === 0 ? "" : `Payments that are open now and refunds that were not sent: ${open}. They cannot be completed.`;
