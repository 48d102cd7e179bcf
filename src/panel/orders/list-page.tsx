import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "../../db/schema.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { Badge } from "../kit/badge.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";

type Props = ListProps<OrderRow>;

const words = (statuses: readonly string[]) => statuses.map((status) => [status, status.replaceAll("_", " ")] as const);

export const OrdersPage = ({ ...list }: Props) => (
  <>
    <PageHeader title="Orders" />
    <Listing
      {...list}
      label="Orders"
      filters={[
        { name: "search", label: "Number, e-mail or name" },
        { name: "status", label: "Status", options: words(orderStatuses) },
        { name: "payment_status", label: "Payment", options: words(paymentStatuses) },
        { name: "fulfillment_status", label: "Fulfilment", options: words(fulfillmentStatuses) },
      ]}
      columns={[
        { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
        { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Customer", cell: (row) => <Customer {...row} /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Payment", cell: ({ paymentStatus }) => <Badge status={paymentStatus} /> },
        { title: "Total", numeric: true, cell: ({ total, currency }) => <Money minor={total} currency={currency} /> },
      ]}
      none={{ title: "No orders yet", narrowed: "No order matches" }}
    >
      What customers order shows up here.
    </Listing>
  </>
);

export const Customer = ({ userId, customerName, customerEmail }: OrderRow) => {
  const name = customerName ?? customerEmail ?? "a guest";
  return userId === null ? <span>{name}</span> : <a href={`/admin/customers/${userId}`}>{name}</a>;
};
