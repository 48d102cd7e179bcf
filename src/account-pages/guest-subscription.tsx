import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { OrderLinkBody, requireGuestOrder } from "../checkout/orders/guest-order.ts";
import type { SubscriptionRow } from "../checkout/subscriptions/schemas.ts";
import { cancelSubscription, openPortal } from "../checkout/subscriptions/subscriptions.ts";
import { notFound } from "../domain/errors.ts";
import { formFor } from "../panel/forms/inputs.ts";
import { text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { When } from "../panel/kit/dates.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import type { WriteContext } from "../platform/auth/caller.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { donePage } from "./pages.tsx";

/** A guest's subscription. BGB § 312k (2) requires that it can be cancelled without an account, and prescribes the words of the button. */
export const GuestSubscription = ({ subscription, token }: { subscription: SubscriptionRow; token: string }) => {
  const { endedAt, cancelsAt, currentPeriodEnd, pastDue } = subscription;
  return (
    <>
      <h2>Subscription</h2>
      <p>
        {pastDue && endedAt === null && "The last payment failed. "}
        {cancelsAt === null && endedAt === null ? "Renews on " : "Ends on "}
        <When at={endedAt ?? cancelsAt ?? currentPeriodEnd} />.
      </p>
      {endedAt === null && (
        <LinkForm path="/account/order/card" token={token}>
          Change the card
        </LinkForm>
      )}
      {endedAt === null && cancelsAt === null && (
        <details>
          <summary>Cancel contracts here (Verträge hier kündigen)</summary>
          <p class="note">
            {subscription.product.name} will not renew. Access lasts until <When at={currentPeriodEnd} />.
          </p>
          <LinkForm path="/account/order/cancel" token={token}>
            Cancel now (jetzt kündigen)
          </LinkForm>
        </details>
      )}
    </>
  );
};

const LinkForm = ({ path, token, children }: { path: string; token: string; children?: Child }) => (
  <Form form={formFor(null, path, { inputs: {} })}>
    <input type="hidden" name="token" value={token} />
    <Button tone="quiet">{children}</Button>
  </Form>
);

async function requireOfLink({ db, settings }: Pick<WriteContext, "db" | "settings">, sent: SentForm) {
  const { token } = sent.read(OrderLinkBody, { token: text });
  const { row, subscription } = await requireGuestOrder({ db, settings }, token, Date.now());
  if (!subscription) throw notFound("A subscription of this order");
  return { id: subscription.id, whose: { guestOrderId: row.id } };
}

export async function cancelGuestSubscription(
  c: Context<AppEnv>,
  ctx: WriteContext,
  sent: SentForm,
): Promise<Response> {
  const row = await cancelSubscription(ctx, { ...(await requireOfLink(ctx, sent)), atPeriodEnd: true });
  const until = new Date(row.endedAt ?? row.cancelsAt ?? row.currentPeriodEnd).toISOString().slice(0, 10);
  return donePage(c, "Subscription cancelled", `It ends on ${until}, and nothing more will be charged.`, null);
}

/** Links to the provider's page, because forms may not lead to another site. */
export async function changeGuestCard(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const href = await openPortal(c.var, await requireOfLink(c.var, sent));
  const next = "You enter the new card on the page of our payment provider. The link is valid for a short time.";
  return donePage(c, "Change the card", next, { href, label: "Continue" });
}
