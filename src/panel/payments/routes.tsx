import { type Context, Hono } from "hono";
import {
  type ConnectedProviders,
  changePaymentSettings,
  type MethodField,
  PaymentSettingsUpdate,
  type ProviderMode,
  readConnectedProviders,
  readPaymentSettings,
} from "../../checkout/payments/settings.ts";
import {
  type AccountProvider,
  laterLabel,
  laterMethods,
  type ManualMethod,
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
import { Allowed } from "../kit/allowed.tsx";
import { Columns, Field, Fields, Folded } from "../kit/fields.tsx";
import { Form, LinkButton } from "../kit/form.tsx";
import { AuditLink, Card, PageHeader } from "../kit/page-parts.tsx";
import { Badge } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { AccountStatus } from "./account-page.tsx";

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
  // Resolves the audit log's references to the settings and to accounts.
  .get("/payments/:id{[0-9]+}", administer("settings:read"), (c) => c.redirect(PAYMENTS, 303));

async function paymentsPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { methods, updatedAt } = await readPaymentSettings(c.var.db);
  const settingsByName = paymentMethods.flatMap((method) =>
    Object.entries(settingsOf(methods, method)).map(([name, value]) => [`${method}.${name}`, value] as const),
  );
  const values = Object.fromEntries(settingsByName.filter(([name]) => name in inputs));
  const form = formFor(failed, PAYMENTS, { inputs, values, etag: etagOf(updatedAt) });
  const connected = await readConnectedProviders(c.var);
  return page(c, "Payments", <PaymentsPage form={form} connected={connected} />);
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
  connected: ConnectedProviders;
};

const PaymentsPage = ({ form, connected }: PaymentsPageProps) => (
  <>
    <PageHeader>
      <AuditLink subject="payment_settings" id={1} />
    </PageHeader>
    <Form form={form} needs="settings:write" save="Save settings">
      <div class="editor">
        <div>
          <Online form={form} method="credit_card" title="Cards, by Stripe" account="stripe" mode={connected.stripe} />
          <Online form={form} method="paypal" title="PayPal" account="paypal" mode={connected.paypal} />
          <Manual form={form} method="bank_transfer" />
          <Manual form={form} method="invoice" />
          <Manual form={form} method="cash" />
        </div>
        <div>
          {connected.test && (
            <Card title="Test card" beside={<Badge status="test mode" />}>
              <p>Test mode: no money moves. Pay for an order as a customer would, and refund it.</p>
              <Fields form={form} names={["test_card.offered", "test_card.guests"]} />
            </Card>
          )}
          <Card title="Wallet">
            <p>Customers with an account pay from the balance that you credited to them.</p>
            <Field form={form} name="wallet.offered" />
          </Card>
        </div>
      </div>
    </Form>
  </>
);

type OnlineProps = {
  form: PaymentsForm;
  method: "credit_card" | "paypal";
  title: string;
  account: AccountProvider;
  mode: ProviderMode | null | undefined;
};

/** A payment method collected by a provider. */
const Online = ({ form, method, title, account, mode }: OnlineProps) => (
  <Card
    title={title}
    beside={
      <div class="badges">
        <AccountStatus live={mode ? mode === "live" : null} />
      </div>
    }
  >
    {!mode && <p>Checkouts do not list the method until it is connected.</p>}
    {mode === "test" && <p>No money moves in test mode.</p>}
    <Columns form={form} names={[`${method}.offered`, `${method}.guests`]} />
    <Allowed to="administrators">
      <p>
        <LinkButton href={`/admin/payments/${account}`}>{mode ? "Manage account" : "Connect"}</LinkButton>
      </p>
    </Allowed>
  </Card>
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
