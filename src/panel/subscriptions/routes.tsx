import type { Context } from "hono";
import {
  type SubscriptionRow,
  SubscriptionsQuery,
  subscriptionStatus,
  subscriptionStatuses,
} from "../../checkout/subscriptions/schemas.ts";
import {
  cancelSubscription,
  listSubscriptions,
  requireSubscription,
} from "../../checkout/subscriptions/subscriptions.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters, type SentForm } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { ConfirmButton, Refusal } from "../kit/form.tsx";
import { AuditLink, PageHeader } from "../kit/page-parts.tsx";
import { Badge, CustomerReference, DescriptionList, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { withPicks } from "../pickers/resolve.ts";
import { recordPages } from "../record-pages.ts";
import { readNames, userReference } from "../references.ts";

const SUBSCRIPTIONS_PATH = "/admin/subscriptions";

const NextPayment = ({ endedAt, cancelsAt, currentPeriodEnd }: SubscriptionRow) =>
  endedAt === null && cancelsAt === null ? <When at={currentPeriodEnd} /> : <span class="muted">none</span>;

async function subscriptionPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const row = await requireSubscription(c.var.db, id, { scope: accountScopeOf(c.var.caller) });
  const { product, orderIds, userId, endedAt, cancelsAt, cancelledAt } = row;
  const orderReferences = orderIds.map((orderId) => `order:${orderId}`);
  const names = await readNames(c.var.db, [...orderReferences, `user:${userId}`, `product:${product.id}`]);
  const path = `${SUBSCRIPTIONS_PATH}/${id}`;
  const canRenew = endedAt === null && cancelsAt === null;
  return page(
    c,
    product.name,
    <>
      <PageHeader title={product.name} statuses={<Badge status={subscriptionStatus(row)} />}>
        <AuditLink subject="order" id={row.orderId} />
        {endedAt === null && (
          <ConfirmButton
            needs="orders:write"
            form={formFor(failed, `${path}/end`)}
            label="End now"
            title="End the subscription now?"
            text="Downloads and license keys end at once. Nothing is refunded. This cannot be undone."
          />
        )}
        {canRenew && (
          <ConfirmButton
            needs="orders:write"
            form={formFor(failed, `${path}/cancel`)}
            label="Cancel"
            title="Cancel the subscription?"
            text="It does not renew, and access lasts until the end of the paid period. The customer gets an e-mail."
          />
        )}
      </PageHeader>
      <Refusal
        failed={failed}
        offered={endedAt === null ? [`${path}/end`, ...(canRenew ? [`${path}/cancel`] : [])] : []}
      />
      <section class="card">
        <DescriptionList
          facts={{
            Customer: <CustomerReference userId={row.userId} names={names} />,
            Product: <Reference to={`product:${product.id}`} names={names} />,
            Renews: row.renews === null ? undefined : `each ${row.renews}`,
            "Next payment": <NextPayment {...row} />,
            Cancelled: cancelledAt === null ? undefined : <When at={cancelledAt} />,
            [endedAt === null ? "Ends" : "Ended"]: cancelsAt === null ? undefined : <When at={endedAt ?? cancelsAt} />,
            Orders: (
              <>
                {orderReferences.map((order) => (
                  <div>
                    <Reference to={order} names={names} />
                  </div>
                ))}
              </>
            ),
          }}
        />
      </section>
    </>,
  );
}

const subscriptionFilters = {
  user_id: { as: "picker", label: "Customer", kinds: ["user"] },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  status: choiceFilter("Status", ownLabels(subscriptionStatuses)),
} satisfies FormInputs;

async function subscriptionsPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, SubscriptionsQuery, subscriptionFilters);
  const found = await listSubscriptions(c.var.db, query, { scope: accountScopeOf(c.var.caller) });
  const names = await readNames(c.var.db, found.rows.map(userReference));
  return listPage(c, {
    noun: "subscriptions",
    found,
    form: await withPicks(c, form),
    columns: [
      { title: "Product", cell: ({ id, product }) => <a href={`${SUBSCRIPTIONS_PATH}/${id}`}>{product.name}</a> },
      { title: "Customer", cell: (row) => <CustomerReference userId={row.userId} names={names} /> },
      { title: "Status", cell: (row) => <Badge status={subscriptionStatus(row)} /> },
      { title: "Next payment", cell: (row) => <NextPayment {...row} /> },
    ],
    start: { path: "/admin/products", label: "Choose a product", needs: "products:read_all" },
    purpose: "Let a product renew under “License keys and renewal”: each paid order of it then starts a subscription.",
  });
}

const cancelling = (atPeriodEnd: boolean, done: string) => async (c: Context<PanelEnv>, id: number, _: SentForm) => {
  await cancelSubscription(writeContextOf(c), { id, whose: { scope: accountScopeOf(c.var.caller) }, atPeriodEnd });
  return done;
};

export const subscriptionPages = recordPages("/subscriptions", {
  reads: administer("orders:read"),
  writes: administer("orders:write"),
  listPage: subscriptionsPage,
  filters: subscriptionFilters,
  rowPage: subscriptionPage,
  forms: {
    "/cancel": cancelling(true, "The subscription was cancelled. It ends with the paid period."),
    "/end": cancelling(false, "The subscription has ended."),
  },
});
