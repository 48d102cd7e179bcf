import { type Context, Hono } from "hono";
import type { PropsWithChildren } from "hono/jsx";
import {
  changePaymentSettings,
  connectedProviders,
  type MethodField,
  PaymentSettingsUpdate,
  readPaymentSettings,
} from "../../checkout/payments/settings.ts";
import {
  laterLabel,
  laterMethods,
  type ManualMethod,
  type ProviderName,
  paymentMethods,
  settingsOf,
} from "../../domain/payment-methods.ts";
import { capitalized } from "../../platform/administration/resource.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { etagOf } from "../../platform/http/version.ts";
import { submitForm } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInput, type FormState, formFor } from "../forms/inputs.ts";
import { Columns, Field, Fields, Folded } from "../kit/fields.tsx";
import { Button, Form, SaveBar } from "../kit/form.tsx";
import { AuditLink, PageHeader } from "../kit/page-parts.tsx";
import { Badge } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";

const PAYMENTS = "/admin/payments";

export const paymentPages = new Hono<PanelEnv>()
  .get("/payments", administer("settings:read"), (c) => paymentsPage(c, null))
  .post(
    "/payments",
    administer("settings:write"),
    submitForm(paymentsPage, async (c, sent) => {
      const change = sent.readChange(PaymentSettingsUpdate, kindsOf(inputs));
      await changePaymentSettings(writeContextOf(c), { change, ifMatch: sent.ifMatch });
      return "The payment settings were saved.";
    }),
  )
  // Resolves the audit log's reference.
  .get("/payments/1", administer("settings:read"), (c) => c.redirect(PAYMENTS, 303));

async function paymentsPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { db, settings } = c.var;
  const { methods, updatedAt } = await readPaymentSettings(db);
  const settingsByName = paymentMethods.flatMap((method) =>
    Object.entries(settingsOf(methods, method)).map(([name, value]) => [`${method}.${name}`, value] as const),
  );
  const values = Object.fromEntries(settingsByName.filter(([name]) => name in inputs));
  const form = formFor(failed, PAYMENTS, { inputs, values, etag: etagOf(updatedAt) });
  const connected = connectedProviders(settings);
  const base = settings.email.staffLinkBase ?? "https://your-worker.example";
  return page(c, "Payments", <PaymentsPage form={form} connected={connected} base={base} />);
}

const offered = { as: "flag", label: "Offer at checkout" } as const satisfies FormInput;
const guests = {
  as: "flag",
  label: "Offer to guests too",
} as const satisfies FormInput;

const manual = (hints: { instructions: string; days: string }) =>
  ({
    offered,
    guests,
    instructions: { as: "lines", label: "Instructions for the buyer", rows: 3, hint: hints.instructions },
    days: { as: "number", label: "Days to pay", hint: hints.days, required: true },
  }) as const satisfies Record<string, FormInput>;

const hints: Record<ManualMethod, { instructions: string; days: string }> = {
  bank_transfer: {
    instructions:
      "Your bank details. Shown at checkout, and on the order, in its e-mails and on the invoice until it is paid.",
    days: "An unpaid order holds its stock for this time and then expires. Money that arrives later can still be recorded.",
  },
  invoice: {
    instructions: "How to pay the invoice. Shown at checkout, and on the order, in its e-mails and on the invoice.",
    days: "The invoice is due within this time. An order that does not ship before payment then expires.",
  },
  cash: {
    instructions: "How buyers pay, such as where they collect the order. Shown at checkout and on the order.",
    days: "An order that does not ship before payment expires after this time.",
  },
};

const shipsBefore = {
  as: "flag",
  label: "Ship before payment",
  hint: "Orders can be shipped immediately. Mark them as paid when the money arrives. They hold their stock and never expire.",
} as const satisfies FormInput;

/** Inputs of a method's settings, named as in the API, such as `cash.offered`. */
const under = <Method extends string, Inputs extends Record<string, FormInput>>(method: Method, own: Inputs) =>
  Object.fromEntries(Object.entries(own).map(([name, input]) => [`${method}.${name}`, input])) as {
    [Name in keyof Inputs & string as `${Method}.${Name}`]: Inputs[Name];
  };

export const inputs = {
  ...under("credit_card", { offered, guests }),
  ...under("paypal", { offered, guests }),
  ...under("bank_transfer", manual(hints.bank_transfer)),
  ...under("invoice", { ...manual(hints.invoice), ship_before_payment: shipsBefore }),
  ...under("cash", { ...manual(hints.cash), ship_before_payment: shipsBefore }),
  ...under("wallet", { offered }),
  ...under("test_card", { offered, guests }),
} satisfies Record<MethodField, FormInput>;

type PaymentsForm = FormState<keyof typeof inputs>;

type PaymentsPageProps = {
  form: PaymentsForm;
  connected: Record<ProviderName, boolean>;
  /** Address of the Worker. */
  base: string;
};

const PaymentsPage = ({ form, connected, base }: PaymentsPageProps) => (
  <>
    <PageHeader title="Payments">
      <AuditLink subject="payment_settings" id={1} />
    </PageHeader>
    <Form form={form} needs="settings:write">
      <div class="editor">
        <div>
          <Online form={form} method="credit_card" title="Cards, by Stripe" isConnected={connected.stripe}>
            <Connecting
              secrets={["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]}
              webhook={`${base}/api/v1/webhooks/stripe`}
            />
          </Online>
          <Online form={form} method="paypal" title="PayPal" isConnected={connected.paypal}>
            <Connecting
              secrets={["PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID"]}
              webhook={`${base}/api/v1/webhooks/paypal`}
            />
          </Online>
          <Manual form={form} method="bank_transfer" />
          <Manual form={form} method="invoice" />
          <Manual form={form} method="cash" />
        </div>
        <div>
          {connected.test && (
            <section class="card">
              <div class="section-header">
                <h2>Test card</h2>
                <Badge status="test mode" />
              </div>
              <p>Test mode: no money moves. Pay for an order as a customer would, and refund it.</p>
              <Fields form={form} names={["test_card.offered", "test_card.guests"]} />
            </section>
          )}
          <section class="card">
            <h2>Wallet</h2>
            <p>Customers with an account pay from the balance that you credited to them.</p>
            <Field form={form} name="wallet.offered" />
          </section>
        </div>
      </div>
      <SaveBar>
        <Button>Save settings</Button>
      </SaveBar>
    </Form>
  </>
);

type OnlineProps = PropsWithChildren<{
  form: PaymentsForm;
  method: "credit_card" | "paypal";
  title: string;
  isConnected: boolean;
}>;

/** A payment method collected by a provider. The children explain how to connect it. */
const Online = ({ form, method, title, isConnected, children }: OnlineProps) => (
  <section class="card">
    <div class="section-header">
      <h2>{title}</h2>
      <Badge status={isConnected ? "connected" : "not connected"} />
    </div>
    {!isConnected && children}
    <Columns form={form} names={[`${method}.offered`, `${method}.guests`]} />
  </section>
);

const Connecting = ({ secrets, webhook }: { secrets: string[]; webhook: string }) => (
  <>
    <p>Checkouts do not list the method until it is connected.</p>
    <details class="more">
      <summary>How to connect</summary>
      <ol>
        <li>
          In the provider's dashboard, add the webhook <code>{webhook}</code>.
        </li>
        <li>
          Set each secret with <code>npx wrangler secret put</code>:{" "}
          {secrets.map((secret, place) => (
            <>
              {place > 0 && ", "}
              <code>{secret}</code>
            </>
          ))}
          .
        </li>
        <li>
          Set <code>CHECKOUT_RETURN_URL</code> in <code>wrangler.toml</code> and deploy.
        </li>
      </ol>
    </details>
  </>
);

/** A payment method that staff mark as received, folded while it is not offered. */
const Manual = ({ form, method }: { form: PaymentsForm; method: ManualMethod }) => {
  const later = laterMethods.find((each) => each === method);
  const isOffered = form.values[`${method}.offered`]?.[0] === "true";
  return (
    <Folded
      form={form}
      title={capitalized(laterLabel(method))}
      names={[`${method}.instructions`, `${method}.days`]}
      isOpen={isOffered}
      status={<Badge status={isOffered ? "offered" : "not offered"} />}
    >
      <Columns form={form} names={[`${method}.offered`, `${method}.guests`]} />
      <Field form={form} name={`${method}.instructions`} />
      {later && <Field form={form} name={`${later}.ship_before_payment`} />}
      <Field form={form} name={`${method}.days`} />
    </Folded>
  );
};
