import { canBeEdited } from "../../checkout/orders/edits/plan.ts";
import { canBeRefunded } from "../../checkout/orders/refunds/refund.ts";
import { isTestPayment, type OrderRow } from "../../checkout/orders/schemas.ts";
import { canBeMarkedPaid, hasLeft, openMoves, SENT } from "../../checkout/orders/transitions.ts";
import { canChangeAddress } from "../../checkout/orders/update.ts";
import { laterLabel, paymentLabel } from "../../domain/payment-methods.ts";
import { capitalized } from "../../platform/administration/resource.ts";
import { isPaidLater } from "../../platform/db/order-payment.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { Allowed, useAllowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Field } from "../kit/fields.tsx";
import { Button, Form, LinkButton, Refusal } from "../kit/form.tsx";
import { AuditLink, Card, MoreMenu, PageHeader, TagLinks } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, EmailAddress, MoneyAmount } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import { BillingAddress, MoveButtons, Moves, ShippingAddress } from "./actions.tsx";
import { tagsInput } from "./inputs.ts";
import { Items, Total } from "./items.tsx";
import { Customer } from "./list-page.tsx";
import { Shipments } from "./shipments.tsx";
import { Timeline } from "./timeline.tsx";
import type { IssuedCounts, OrderEvents, OrderImages } from "./timeline-queries.ts";

type OrderPageProps = {
  order: OrderRow;
  events: OrderEvents;
  names: Names;
  images: OrderImages;
  issued: IssuedCounts;
  failed: Failed | null;
};

/** Links to the license keys and gift cards that an order issued, and to its subscription. */
const issuedPages = ({ licenseKeys, giftCards, subscriptions }: IssuedCounts) =>
  [
    { count: licenseKeys, path: "license-keys", name: "License keys", needs: "packages:read" },
    { count: giftCards, path: "gift-cards", name: "Gift cards", needs: "orders:read" },
    { count: subscriptions, path: "subscriptions", name: "Subscription", needs: "orders:read" },
  ] as const;

export const OrderPage = ({ order, events, names, images, issued, failed }: OrderPageProps) => (
  <>
    <PageHeader title={`Order ${order.number}`} statuses={<Statuses order={order} />}>
      <More order={order} issued={issued} failed={failed} />
      <Printed path={`/admin/orders/${order.id}`} order={order} />
      <Moves order={order} failed={failed} />
    </PageHeader>
    <Refusal failed={failed} offered={offeredBy(order, failed)} />
    <div class="record">
      <div>
        <Card
          title="Items"
          beside={
            canBeEdited(order) && (
              <LinkButton needs="orders:write" href={`/admin/orders/${order.id}/edit`}>
                Edit order
              </LinkButton>
            )
          }
        >
          <Items order={order} images={images} />
          <Total order={order} />
        </Card>
        {(order.shipments.length > 0 || openMoves(order).includes(SENT)) && (
          <Card title="Delivery">
            <Shipments order={order} failed={failed} />
          </Card>
        )}
      </div>
      <aside>
        <Card title="Customer">
          <Buyer order={order} />
        </Card>
        {(useAllowed("orders:read") || isDueOnDelivery(order)) && (
          <Card title="Payment">
            <Payment order={order} />
          </Card>
        )}
        {(order.fulfillmentStatus !== "not_required" || canChangeAddress(order)) && (
          <Card title="Shipping address">
            <ShippingAddress order={order} failed={failed} />
          </Card>
        )}
        {order.billingAddress && (
          <Card title="Billing address">
            <BillingAddress order={order} failed={failed} />
          </Card>
        )}
        <TagsCard order={order} failed={failed} />
      </aside>
      <Card title="Timeline" beside={<AuditLink subject="order" id={order.id} />}>
        <Allowed to="orders:write">
          <NewNote order={order} failed={failed} />
        </Allowed>
        <Timeline order={order} events={events} names={names} />
      </Card>
    </div>
  </>
);

/**
 * Statuses of the order, its payment and its delivery, each once. The payment's status names the method if the order is
 * paid later.
 */
const Statuses = ({ order }: { order: OrderRow }) => (
  <>
    {[...new Set([order.status, order.paymentStatus, order.fulfillmentStatus])]
      .filter((each) => each !== "not_required")
      .map((each, at) => (
        <Badge status={each} isSecond={at > 0}>
          {each === order.paymentStatus && isPaidLater(order) && ` — ${laterLabel(order.paymentMethod)}`}
        </Badge>
      ))}
    {isTestPayment(order) && <Badge status="test mode" />}
  </>
);

/** A menu of pages and actions that few orders need. */
const More = ({ order, issued, failed }: Pick<OrderPageProps, "order" | "issued" | "failed">) => (
  <Allowed to="orders:read">
    <MoreMenu>
      <LinkButton href={`/admin/returns?order_id=${order.id}`}>Returns</LinkButton>
      {hasLeft(order) && (
        <LinkButton needs="orders:write" href={`/admin/returns/new?order_id=${order.id}`}>
          Create return
        </LinkButton>
      )}
      {issuedPages(issued)
        .filter(({ count }) => count > 0)
        .map(({ path, name, needs }) => (
          <LinkButton needs={needs} href={`/admin/${path}?order_id=${order.id}`}>
            {name}
          </LinkButton>
        ))}
      <MoveButtons order={order} failed={failed} areRare />
    </MoreMenu>
  </Allowed>
);

/** Pages for printing, which open in the browser. */
const Printed = ({ order, path }: { order: OrderRow; path: string }) => (
  <>
    {order.items.some(({ requiresShipping }) => requiresShipping) && (
      <a class="button quiet" href={`${path}/packing-slip`} data-plain>
        Packing slip
      </a>
    )}
    <Allowed to="orders:read">
      <a class="button quiet" href={`${path}/invoice`} data-plain>
        Invoice
      </a>
    </Allowed>
  </>
);

/** Addresses of the forms on the page. */
function offeredBy(order: OrderRow, failed: Failed | null): string[] {
  const path = `/admin/orders/${order.id}`;
  const open = openMoves(order);
  const asked = failed?.values.status?.[0];
  const isOffered = failed?.values.payment_status ? canBeMarkedPaid(order) : open.some((status) => status === asked);
  return [
    ...(isOffered ? [`${path}/move`] : []),
    ...(open.includes(SENT) ? [`${path}/shipments`] : []),
    ...order.shipments.map(({ id }) => `${path}/shipments/${id}`),
    ...(canChangeAddress(order) ? [`${path}/address`] : []),
    ...(order.billingAddress ? [`${path}/billing-address`] : []),
    ...(canBeRefunded(order) ? [`${path}/refund`] : []),
    `${path}/notes`,
    `${path}/tags`,
  ];
}

const Buyer = ({ order }: { order: OrderRow }) => (
  <p class="address">
    <Customer {...order} />
    <br />
    {order.customerEmail !== null && (
      <>
        <EmailAddress text={order.customerEmail} />
        <br />
      </>
    )}
    Placed <When at={order.createdAt} />
  </p>
);

const isDueOnDelivery = (order: OrderRow): boolean => isPaidLater(order) && order.paymentMethod === "cash";

const Payment = ({ order }: { order: OrderRow }) => (
  <DescriptionList
    facts={{
      Method: capitalized(isPaidLater(order) ? laterLabel(order.paymentMethod) : paymentLabel(order)),
      [order.paymentMethod === "cash" ? "To collect" : "To pay"]: isPaidLater(order) ? (
        <MoneyAmount minor={order.total} currency={order.currency} />
      ) : undefined,
      Mode: isTestPayment(order) ? "Test: no money moves" : undefined,
      Paid: <When at={order.paidAt} none="not yet" />,
      "Order reference": order.reference,
      "Provider's reference": order.paymentReference ?? undefined,
      [isPaidLater(order) ? "Due" : "Held until"]:
        order.expiresAt === null || isDueOnDelivery(order) ? undefined : <When at={order.expiresAt} />,
    }}
  />
);

/** Tags, which only staff see. */
const TagsCard = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const mayChange = useAllowed("orders:write");
  if (!mayChange && order.tags.length === 0) return null;
  const form = formFor(failed, `/admin/orders/${order.id}/tags`, {
    inputs: tagsInput,
    values: { tags: order.tags.join(", ") },
    etag: etagOf(order.updatedAt),
  });
  return (
    <Card title="Tags">
      {order.tags.length > 0 && (
        <p>
          <TagLinks list="/admin/orders" tags={order.tags} />
        </p>
      )}
      <Allowed to="orders:write">
        <details class="correction" open={failed?.action === form.action}>
          <summary>{order.tags.length > 0 ? "Change tags" : "Add tags"}</summary>
          <Form form={form}>
            <Field form={form} name="tags" />
            <Button tone="quiet">Save tags</Button>
          </Form>
        </details>
      </Allowed>
    </Card>
  );
};

/** Internal notes. The form takes effect once, however often it is clicked. */
const NewNote = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const form = formFor(failed, `/admin/orders/${order.id}/notes`, {
    inputs: {
      text: { as: "lines", label: "Internal note", rows: 1, required: true, hint: "Customers cannot see it." },
    },
  });
  return (
    <Form form={form}>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Field form={form} name="text" />
      <Button tone="quiet">Add note</Button>
    </Form>
  );
};
