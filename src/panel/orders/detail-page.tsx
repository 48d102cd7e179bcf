import { paymentTerms } from "../../domain/payment-methods.ts";
import { canChangeAddress } from "../../orders/correct.ts";
import { canBeRefunded } from "../../orders/refunds/refund.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { moves, SENT } from "../../orders/transitions.ts";
import type { Failed } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { EmailAddress } from "../kit/email-address.tsx";
import { Refusal } from "../kit/error-summary.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/queries.ts";
import { Moves, Shipment } from "./actions.tsx";
import { BillingAddress, ShippingAddress } from "./address.tsx";
import { History } from "./history.tsx";
import { Customer } from "./list-page.tsx";
import { Refund } from "./refund.tsx";
import { Total } from "./total.tsx";

type Props = { order: OrderRow; names: Names; failed: Failed | null };

export const OrderPage = ({ order, names, failed }: Props) => (
  <>
    <PageHeader title={`Order ${order.number}`} back={{ path: "/admin/orders", name: "Orders" }}>
      <Badge status={order.status} />
      <Allowed to="administrators">
        <LinkButton href={`/admin/audit-log?subject=order&subject_id=${order.id}`}>History</LinkButton>
      </Allowed>
      <Moves order={order} failed={failed} />
    </PageHeader>
    <Refusal failed={failed} offered={offeredBy(order, failed)} />
    <section class="card">
      <Summary order={order} />
    </section>
    <section class="card">
      <h2>Items</h2>
      <Items order={order} />
      <Total order={order} />
      {canBeRefunded(order) && (
        <Allowed to="payments:write">
          <div class="actions">
            <Refund order={order} failed={failed} />
          </div>
        </Allowed>
      )}
    </section>
    {(order.fulfillmentStatus !== "not_required" || canChangeAddress(order)) && (
      <section class="card">
        <h2>Delivery</h2>
        {order.shipment && <Tracking shipment={order.shipment} />}
        <Allowed to="orders:write">
          <Shipment order={order} failed={failed} />
        </Allowed>
        <h3 class="part">Address</h3>
        <ShippingAddress order={order} failed={failed} />
      </section>
    )}
    {order.billingAddress && (
      <section class="card">
        <h2>Billing address</h2>
        <BillingAddress order={order} failed={failed} />
      </section>
    )}
    <section class="card">
      <h2>What happened</h2>
      <History order={order} names={names} />
    </section>
  </>
);

/** The shipment, with a link to the carrier's tracking page. */
const Tracking = ({ shipment }: { shipment: NonNullable<OrderRow["shipment"]> }) => {
  const { carrier, tracking_number: number, tracking_url: url } = shipment;
  return (
    <p>
      Sent by {carrier} on <When at={Date.parse(shipment.shipped_at)} />
      {(number ?? url) && ": "}
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {number ?? "track the parcel"}
        </a>
      ) : (
        number
      )}
    </p>
  );
};

/** Where the forms are sent that the page has now. */
function offeredBy(order: OrderRow, failed: Failed | null): string[] {
  const path = `/admin/orders/${order.id}`;
  const open = moves[order.status];
  const asked = failed?.values.status?.[0];
  return [
    ...(open.some((status) => status === asked) ? [`${path}/move`] : []),
    ...(order.shipment || open.includes(SENT) ? [`${path}/ship`] : []),
    ...(canChangeAddress(order) ? [`${path}/address`] : []),
    ...(order.billingAddress ? [`${path}/billing-address`] : []),
    ...(canBeRefunded(order) ? [`${path}/refund`] : []),
  ];
}

const Summary = ({ order }: { order: OrderRow }) => (
  <DescriptionList
    facts={{
      Customer: <Customer {...order} />,
      "E-mail": order.customerEmail && <EmailAddress text={order.customerEmail} />,
      Placed: <When at={order.createdAt} />,
      Payment: (
        <>
          <Badge status={order.paymentStatus} /> {paymentTerms[order.paymentMethod].label}
        </>
      ),
      Paid: <When at={order.paidAt} none="not yet" />,
      "Provider's reference": order.paymentReference ?? undefined,
      "Held until": order.expiresAt === null ? undefined : <When at={order.expiresAt} />,
      Fulfilment: <Badge status={order.fulfillmentStatus} />,
      Total: <Money minor={order.total} currency={order.currency} />,
      Refunded: <Money minor={order.refundedTotal} currency={order.currency} />,
    }}
  />
);

const Items = ({ order: { items, currency } }: { order: OrderRow }) => {
  const money = (minor: number) => <Money minor={minor} currency={currency} />;
  const columns: Column<OrderRow["items"][number]>[] = [
    { title: "Product", cell: ({ productId, name }) => <a href={`/admin/products/${productId}`}>{name}</a> },
    { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
    { title: "Quantity", numeric: true, cell: ({ quantity }) => String(quantity) },
    { title: "Refunded", numeric: true, cell: ({ refundedQuantity }) => String(refundedQuantity) },
    { title: "Price", numeric: true, cell: ({ unitPrice }) => money(unitPrice) },
    { title: "Total", numeric: true, cell: ({ total }) => money(total) },
  ];
  if (items.some(({ discount }) => discount > 0))
    columns.push({ title: "Discount", numeric: true, cell: ({ discount }) => money(-discount) });
  if (items.some(({ tax }) => tax > 0)) columns.push({ title: "Tax", numeric: true, cell: ({ tax }) => money(tax) });
  return <Table label="Items" rows={items} columns={columns} />;
};
