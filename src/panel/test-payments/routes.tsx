import { type Context, Hono } from "hono";
import * as z from "zod";
import { followWrites } from "../../apps/follow-events.ts";
import { sendRefunds } from "../../checkout/payments/send-refunds.ts";
import { TEST_PAYMENT_PAGE } from "../../checkout/payments/test-card.ts";
import {
  findTestPayment,
  payByTestCard,
  type TestOutcome,
  testOutcomes,
} from "../../checkout/payments/test-payments.ts";
import { notFound, requireFound } from "../../domain/errors.ts";
import { type AppEnv, limitAddress } from "../../platform/auth/gates.ts";
import { inBackground } from "../../platform/http/background.ts";
import { formFor } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { readForm } from "../forms/read-form.ts";
import { Button, ErrorSummary, Form, LinkButton } from "../kit/form.tsx";
import { Badge, DescriptionList, MoneyAmount } from "../kit/values.tsx";
import { type PageContext, page } from "../page.tsx";

const TestChoice = z.strictObject({ outcome: z.enum(testOutcomes) });

/** The test provider's page of a payment, where the buyer chooses its outcome. */
export const testPaymentPages = new Hono<AppEnv>()
  .get("/:reference", async (c) => {
    const payment = await findPayment(c);
    const back = c.var.settings.returnUrl.replaceAll("{reference}", payment.orderReference);
    if (payment.state === "paid" && back) c.header("Refresh", `0; url=${new URL(back).href}`);
    return testPaymentPage(c, { payment, back, isDeclined: c.req.query("declined") !== undefined });
  })
  .post("/:reference", followWrites, async (c) => {
    const { reference } = await findPayment(c);
    const sent = await readForm(c);
    const { outcome } = sent.read(TestChoice, { outcome: text });
    const result = await payByTestCard(c.var, { reference, outcome });
    if (result === "returned") inBackground(c, "send refunds", sendRefunds(c.var, Date.now()));
    const declined = outcome === "fail" && result !== null ? "?declined" : "";
    return c.redirect(`${TEST_PAYMENT_PAGE}/${reference}${declined}`, 303);
  });

function takesTests({ var: { settings } }: Context<AppEnv>) {
  if (!settings.sandbox) throw notFound("This address");
  return settings.sandbox;
}

async function findPayment(c: Context<AppEnv>) {
  takesTests(c);
  await limitAddress(c, "anonymous");
  const payment = await requireFound(findTestPayment(c.var, c.req.param("reference") ?? ""), "This payment");
  return payment;
}

type TestPayment = NonNullable<Awaited<ReturnType<typeof findTestPayment>>>;

type TestPaymentPageProps = {
  payment: TestPayment;
  /** The shop's page that the buyer returns to. Empty if there is none. */
  back: string;
  isDeclined: boolean;
};

function testPaymentPage(c: PageContext, { payment, back, isDeclined }: TestPaymentPageProps) {
  const ended = endOf(payment);
  const { orderReference, amount, currency } = payment;
  return page(
    c,
    "Test payment",
    <div class="card narrow">
      <div>
        <h1>{ended?.title ?? "Test payment"}</h1>
        <div class="badges">
          <Badge status="test mode" />
          <span class="muted">No money moves.</span>
        </div>
      </div>
      {isDeclined && !ended && (
        <ErrorSummary errors={{}} message="The card was declined. Pay again, or choose another outcome." />
      )}
      <DescriptionList
        facts={{ Order: orderReference, "To pay": <MoneyAmount minor={amount} currency={currency} /> }}
      />
      {ended ? <p>{ended.text}</p> : <Outcomes payment={payment} path={c.req.path} />}
      {back && <Back href={back} shop={c.var.shopName ?? "the shop"} isNext={ended !== null} />}
    </div>,
  );
}

const Back = ({ href, shop, isNext }: { href: string; shop: string; isNext: boolean }) =>
  isNext ? (
    <LinkButton href={href} tone="primary">
      Back to {shop}
    </LinkButton>
  ) : (
    <p>
      <a href={href}>Back to {shop}</a>
    </p>
  );

/** The reason why the payment can no longer be paid. Null if it can. */
function endOf({ state, confirmAt, expiresAt }: TestPayment): { title: string; text: string } | null {
  if (state === "closed") return { title: "Payment closed", text: "The order no longer waits for this payment." };
  if (state === "paid") {
    return confirmAt === null
      ? { title: "Payment received", text: "The shop has confirmed the payment." }
      : { title: "Payment on its way", text: "The shop confirms the payment in a minute or two." };
  }
  if (expiresAt <= Date.now()) return { title: "Payment expired", text: "The order was not paid in time." };
  return null;
}

const others: { outcome: TestOutcome; label: string }[] = [
  { outcome: "fail", label: "Decline the card" },
  { outcome: "confirm_later", label: "Pay, confirmed a minute later" },
  { outcome: "refund_fails", label: "Pay, but fail every refund" },
];

const Outcomes = ({ payment: { amount, currency }, path }: { payment: TestPayment; path: string }) => (
  <Form form={formFor(null, path)} plain>
    <Button name="outcome" value="succeed">
      <span>
        Pay <MoneyAmount minor={amount} currency={currency} />
      </span>
    </Button>
    <h2>Try another outcome</h2>
    {others.map(({ outcome, label }) => (
      <Button tone="quiet" name="outcome" value={outcome}>
        {label}
      </Button>
    ))}
  </Form>
);
