import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "../../platform/db/schema.ts";
import { OrderFields } from "../bulk-actions/forms.tsx";
import type { FormState } from "../forms/state.ts";
import { useAllowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { ExportMenu } from "../kit/export-menu.tsx";
import { dateFilters } from "../kit/filter-bar.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";

type OrdersPageProps = ListProps<OrderRow>;

const words = (statuses: readonly string[]) => statuses.map((status) => [status, status.replaceAll("_", " ")] as const);

const bulk = {
  action: "/admin/orders/bulk",
  fields: (form: FormState) => <OrderFields form={form} />,
  selects: ({ id, number }: OrderRow) => ({ id, name: number }),
};

export const OrdersPage = ({ ...list }: OrdersPageProps) => (
  <>
    <PageHeader title="Orders">
      <ExportMenu
        form={list.form}
        needs="orders:read"
        lists={[
          { list: "orders", label: "Orders" },
          { list: "order-lines", label: "Order lines" },
        ]}
      />
    </PageHeader>
    <Listing
      {...list}
      label="Orders"
      filters={[
        { name: "search", label: "Number, e-mail or name" },
        { name: "status", label: "Status", options: words(orderStatuses) },
        { name: "payment_status", label: "Payment", options: words(paymentStatuses) },
        { name: "fulfillment_status", label: "Fulfilment", options: words(fulfillmentStatuses) },
        ...dateFilters("Placed"),
        { name: "sort", label: "Order", all: "Newest", options: [["oldest", "Oldest"]] },
      ]}
      columns={[
        { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
        {
          title: "Placed",
          cell: ({ createdAt }) => <When at={createdAt} />,
          sort: { ascending: "oldest", descending: "newest" },
        },
        { title: "Customer", cell: (row) => <Customer {...row} /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Payment", cell: ({ paymentStatus }) => <Badge status={paymentStatus} /> },
        { title: "Total", numeric: true, cell: ({ total, currency }) => <Money minor={total} currency={currency} /> },
      ]}
      bulk={useAllowed("orders:write") ? bulk : undefined}
      none={{ title: "No orders yet", narrowed: "No matching orders" }}
    >
      Orders from customers appear here.
    </Listing>
  </>
);

export const Customer = ({ userId, customerName, customerEmail }: OrderRow) => {
  const name = customerName ?? customerEmail ?? "a guest";
  return userId === null ? <span>{name}</span> : <a href={`/admin/customers/${userId}`}>{name}</a>;
};
