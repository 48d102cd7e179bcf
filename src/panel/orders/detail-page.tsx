import type { Child } from "hono/jsx";
import { canChangeAddress } from "../../checkout/orders/edit.ts";
import { canBeRefunded } from "../../checkout/orders/refunds/refund.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { openMoves, SENT } from "../../checkout/orders/transitions.ts";
import { paymentTerms } from "../../domain/payment-methods.ts";
import { includedTax, totalLines } from "../../domain/total-lines.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { Field } from "../kit/fields.tsx";
import { Form, Refusal } from "../kit/form.tsx";
import { AuditLink, PageHeader } from "../kit/page-parts.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { Badge, DescriptionList, EmailAddress, MoneyAmount, Thumbnail } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import { BillingAddress, Moves, ShippingAddress } from "./actions.tsx";
import { Customer } from "./list-page.tsx";
import { Refund } from "./refund.tsx";
import { Shipments } from "./shipments.tsx";
import { Timeline } from "./timeline.tsx";
import type { OrderEvents, OrderImages } from "./timeline-queries.ts";

type OrderPageProps = {
  order: OrderRow;
  events: OrderEvents;
  names: Names;
  images: OrderImages;
  failed: Failed | null;
};

export const OrderPage = ({ order, events, names, images, failed }: OrderPageProps) => (
  <>
    <PageHeader title={`Order ${order.number}`} back={{ path: "/admin/orders", name: "Orders" }}>
      <Badge status={order.status} />
      <AuditLink subject="order" id={order.id} />
      <Printed path={`/admin/orders/${order.id}`} order={order} />
      <Moves order={order} failed={failed} />
    </PageHeader>
    <Refusal failed={failed} offered={offeredBy(order, failed)} />
    <section class="card">
      <Summary order={order} />
    </section>
    <section class="card">
      <h2>Items</h2>
      <Items order={order} images={images} />
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
        <Shipments order={order} failed={failed} />
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
      <Timeline order={order} events={events} names={names} />
      <Allowed to="orders:write">
        <NewNote order={order} failed={failed} />
      </Allowed>
    </section>
  </>
);

/** Pages for printing, which open in the browser. */
const Printed = ({ order, path }: { order: OrderRow; path: string }) => (
  <>
    {order.items.some(({ requiresShipping }) => requiresShipping) && (
      <a class="button quiet" href={`${path}/packing-slip`} data-plain>
        Packing slip
      </a>
    )}
    <a class="button quiet" href={`${path}/invoice`} data-plain>
      Invoice
    </a>
  </>
);

/** Addresses of the forms on the page. */
function offeredBy(order: OrderRow, failed: Failed | null): string[] {
  const path = `/admin/orders/${order.id}`;
  const open = openMoves(order);
  const asked = failed?.values.status?.[0];
  return [
    ...(open.some((status) => status === asked) ? [`${path}/move`] : []),
    ...(open.includes(SENT) ? [`${path}/shipments`] : []),
    ...order.shipments.map(({ id }) => `${path}/shipments/${id}`),
    ...(canChangeAddress(order) ? [`${path}/address`] : []),
    ...(order.billingAddress ? [`${path}/billing-address`] : []),
    ...(canBeRefunded(order) ? [`${path}/refund`] : []),
    `${path}/notes`,
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
      Total: <MoneyAmount minor={order.total} currency={order.currency} />,
      Refunded: <MoneyAmount minor={order.refundedTotal} currency={order.currency} />,
    }}
  />
);

/** Label of a reduction: the tax's name if it is only included tax that is not due, which is no discount and has no id. */
const reductionTitle = (discounts: OrderRow["discounts"]): string =>
  discounts.every(({ id }) => id === null) ? (discounts[0]?.name ?? "Discount") : "Discount";

const Items = ({ order: { items, discounts, currency }, images }: Pick<OrderPageProps, "order" | "images">) => {
  const money = (minor: number) => <MoneyAmount minor={minor} currency={currency} />;
  const columns: Column<OrderRow["items"][number]>[] = [
    {
      title: "Product",
      cell: ({ productId, name }) => (
        <a class="pictured" href={`/admin/products/${productId}`}>
          <Thumbnail images={images.get(productId) ?? []} name={name} />
          {name}
        </a>
      ),
    },
    { title: "SKU", cell: ({ sku }) => <code>{sku}</code> },
    { title: "Quantity", numeric: true, cell: ({ quantity }) => String(quantity) },
    { title: "Sent", numeric: true, cell: (item) => (item.requiresShipping ? String(item.shippedQuantity) : null) },
    { title: "Refunded", numeric: true, cell: ({ refundedQuantity }) => String(refundedQuantity) },
    { title: "Price", numeric: true, cell: ({ unitPrice }) => money(unitPrice) },
  ];
  if (items.some(({ discount }) => discount > 0))
    columns.push({ title: reductionTitle(discounts), numeric: true, cell: ({ discount }) => money(-discount) });
  if (items.some(({ tax }) => tax > 0)) columns.push({ title: "Tax", numeric: true, cell: ({ tax }) => money(tax) });
  // Last, because the order's totals are below it.
  columns.push({ title: "Total", numeric: true, cell: ({ total }) => money(total) });
  return <Table label="Items" rows={items} columns={columns} />;
};

/** Internal notes. The form takes effect once, however often it is clicked. */
const NewNote = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const form = formFor(failed, `/admin/orders/${order.id}/notes`, {
    inputs: {
      text: { as: "lines", label: "Internal note", rows: 2, required: true, hint: "Customers cannot see it." },
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

/** The order's total by part, with refunds. */
const Total = ({ order }: { order: OrderRow }) => {
  const money = (minor: number) => <MoneyAmount minor={minor} currency={order.currency} />;
  const parts = totalLines(order);
  return (
    <dl class="total">
      {parts.length > 0 &&
        [{ text: "Subtotal", minor: order.subtotal }, ...parts].map(({ text, minor }) => (
          <Line text={text}>{money(minor)}</Line>
        ))}
      <Line text="Total">
        <strong>{money(order.total)}</strong>
      </Line>
      {includedTax(order).map(({ text, minor }) => (
        <Line text={`Includes ${text}`}>{money(minor)}</Line>
      ))}
      {order.taxExemptReason !== null && <Line text="Exempt from tax">{order.taxExemptReason}</Line>}
      {order.refundedTotal > 0 && <Line text="Refunded">{money(order.refundedTotal)}</Line>}
      {order.refundedShipping > 0 && <Line text="Includes shipping">{money(order.refundedShipping)}</Line>}
      {order.refundedTax > 0 && <Line text="Includes tax">{money(order.refundedTax)}</Line>}
    </dl>
  );
};

const Line = ({ text, children }: { text: string; children: Child }) => (
  <div>
    <dt>{text}</dt>
    <dd>{children}</dd>
  </div>
);
