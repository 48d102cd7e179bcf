import type { findTestPayment, TestOutcome } from "../../checkout/payments/test-payments.ts";
import type { PageContext } from "../env.ts";
import { formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ErrorSummary, Form } from "../kit/form.tsx";
import { Badge, DescriptionList, MoneyAmount } from "../kit/values.tsx";
import { page } from "../page.tsx";

type TestPayment = NonNullable<Awaited<ReturnType<typeof findTestPayment>>>;

type TestPaymentPageProps = {
  payment: TestPayment;
  /** The shop's page that the buyer returns to. Empty if there is none. */
  back: string;
  isDeclined: boolean;
};

export function testPaymentPage(c: PageContext, { payment, back, isDeclined }: TestPaymentPageProps) {
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

/** Why the payment can no longer be paid. Null if it can. */
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
