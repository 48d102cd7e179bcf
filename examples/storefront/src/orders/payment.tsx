import { Day } from "../parts/day.tsx";
import { Money } from "../parts/money.tsx";
import type { ShownOrder } from "./order-links.ts";
import { payAddress } from "./pay-address.ts";

type Props = { order: ShownOrder; isConfirmed: boolean };

/** True if the shop ships the order before it is paid. */
const isPaidLater = ({ status, payment }: ShownOrder): boolean =>
  payment.paid_at === null && ["processing", "shipped", "completed"].includes(status);

const by: Record<ShownOrder["payment_method"], string> = {
  wallet: " from your wallet",
  credit_card: "",
  paypal: " by PayPal",
  test_card: " with the test card. No money moved",
  bank_transfer: " by bank transfer",
  invoice: " by invoice",
  cash: " in cash",
};

const later: Partial<typeof by> = { invoice: " by invoice", cash: " in cash on delivery" };

/** The payment of an order, or the amount left to pay. */
export const Payment = ({ order, isConfirmed }: Props) => {
  const { status, payment, refunded_total, refunded_tax, currency } = order;
  if (status === "cancelled" && payment.paid_at === null) return null;
  return (
    <section class="panel">
      <h2>Payment</h2>
      {(status === "pending" || isPaidLater(order)) && (isConfirmed ? <ToPay order={order} /> : <Waiting />)}
      {status === "expired" && <p>The order was not paid in time and has expired.</p>}
      {payment.paid_at !== null && (
        <p>
          Paid on <Day at={payment.paid_at} />
          {by[order.payment_method]}
        </p>
      )}
      {refunded_total > 0 && (
        <p>
          Refunded: <Money amount={refunded_total} currency={currency} />
          {refunded_tax > 0 && (
            <>
              , including tax: <Money amount={refunded_tax} currency={currency} />
            </>
          )}
        </p>
      )}
    </section>
  );
};

const Waiting = () => (
  <>
    <p role="status">
      <strong>Your payment is being confirmed.</strong> This page shows it within seconds. You need not pay again.
    </p>
    <p class="quiet">
      You left the payment page before paying? <a href="?">Show the order as unpaid</a>
    </p>
  </>
);

const ToPay = ({ order }: Pick<Props, "order">) => {
  const { number, total, currency, payment, payment_status, expires_at } = order;
  const url = payAddress(order);
  return (
    <>
      {payment_status === "failed" && <p class="wrong">The last payment failed.</p>}
      {url ? (
        <p>
          <a class="button" href={url}>
            Pay <Money amount={total} currency={currency} />
          </a>
        </p>
      ) : (
        <>
          <p>
            <strong>
              <Money amount={total} currency={currency} /> to pay{isPaidLater(order) && later[order.payment_method]}
            </strong>
          </p>
          <p class="instructions">{payment.instructions ?? "We will tell you how to pay."}</p>
        </>
      )}
      <p class="quiet">
        Order number: <span class="whole">{number}</span>.{" "}
        {expires_at && !(isPaidLater(order) && order.payment_method === "cash") && (
          <HeldFor until={expires_at} isDue={isPaidLater(order)} />
        )}
      </p>
    </>
  );
};

/** Orders that are not shipped before payment expire. */
const HeldFor = ({ until, isDue }: { until: string; isDue: boolean }) => {
  const minutes = Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 60_000));
  if (minutes > 24 * 60 || isDue) {
    return (
      <>
        Please pay by <Day at={until} />.
      </>
    );
  }
  return (
    <>
      Reserved for <time datetime={until}>{minutes === 1 ? "another minute" : `another ${minutes} minutes`}</time>.
    </>
  );
};
