import type { Schema } from "@storefront-worker/api/client";
import { Day } from "../parts/day.tsx";
import { FormCard } from "../parts/form-card.tsx";

export type ShownSubscription = Schema["Subscription"];
type LinkedSubscription = NonNullable<Schema["GuestOrder"]["subscription"]>;

/** A subscription that the order pays. German law (BGB § 312k) prescribes the words of both buttons to cancel. */
export const Subscription = ({ subscription, path }: { subscription: ShownSubscription; path: string }) => {
  const { status, cancels_at, current_period_end } = subscription;
  return (
    <section class="panel">
      <Renewal of={subscription} />
      {status !== "cancelled" && (
        <form method="post" action={`${path}/card`}>
          <button class="soft" type="submit">
            Change the card
          </button>
        </form>
      )}
      {status !== "cancelled" && cancels_at === null && (
        <details>
          <summary>Cancel contracts here (Verträge hier kündigen)</summary>
          <p>
            It will not renew, and you have access until <Day at={current_period_end} />. We confirm it by e-mail.
          </p>
          <form method="post" action={`${path}/cancel`}>
            <button class="soft" type="submit">
              Cancel now (jetzt kündigen)
            </button>
          </form>
        </details>
      )}
    </section>
  );
};

/** The subscription of an order that a link shows. The API's page at `href` cancels it, as the law requires without an account. */
export const GuestSubscription = ({ subscription, href }: { subscription: LinkedSubscription; href: string }) => (
  <section class="panel">
    <Renewal of={subscription} />
    {subscription.status !== "cancelled" && (
      <p>
        <a class="button soft" href={href}>
          Change the card
        </a>
      </p>
    )}
    {subscription.status !== "cancelled" && subscription.cancels_at === null && (
      <p>
        <a href={href}>Cancel contracts here (Verträge hier kündigen)</a>
      </p>
    )}
  </section>
);

const Renewal = ({ of: { status, product, cancels_at, current_period_end } }: { of: LinkedSubscription }) => (
  <>
    <h2>Subscription</h2>
    {status === "past_due" && <p role="alert">The last payment failed. Change the card to keep your access.</p>}
    <p>
      <span dir="auto">{product.name}</span> {endOrRenewal(status, cancels_at)}{" "}
      <Day at={cancels_at ?? current_period_end} />.
    </p>
  </>
);

const endOrRenewal = (status: ShownSubscription["status"], cancelsAt: string | null): string => {
  if (status === "cancelled") return "ended on";
  return cancelsAt === null ? "renews on" : "ends on";
};

/** The browser is redirected automatically. The link is for browsers that ignore the redirect. */
export const CardPage = ({ orderPath, url }: { orderPath: string; url: string }) => (
  <FormCard title="Your card" sign="lock">
    <p>
      You are being taken to <strong>{new URL(url).host}</strong>, where the card is kept.
    </p>
    <a class="button wide" href={url}>
      Continue
    </a>
    <p class="onward">
      <a href={orderPath}>Back to the order</a>
    </p>
  </FormCard>
);
