import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "../../db/schema.ts";
import type { Page } from "../../http/pagination.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { type FormState, isNarrowed } from "../forms/state.ts";
import { Badge } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterBar } from "../kit/filter-bar.tsx";
import { FormErrors } from "../kit/form.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

type Props = { rows: OrderRow[]; place: Page; form: FormState; url: string };

const words = (statuses: readonly string[]) =>
  Object.fromEntries(statuses.map((status) => [status, status.replaceAll("_", " ")]));

export const OrdersPage = ({ rows, place, form, url }: Props) => (
  <>
    <PageHeader title="Orders" />
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "search", label: "Number, e-mail or name" },
        { name: "status", label: "Status", options: words(orderStatuses) },
        { name: "payment_status", label: "Payment", options: words(paymentStatuses) },
        { name: "fulfillment_status", label: "Fulfilment", options: words(fulfillmentStatuses) },
      ]}
    />
    {rows.length === 0 ? (
      <EmptyState title={isNarrowed(form) ? "No order matches" : "No orders yet"}>
        What customers order shows up here.
      </EmptyState>
    ) : (
      <Table
        label="Orders"
        rows={rows}
        columns={[
          { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
          { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: "Customer", cell: (row) => <Customer {...row} /> },
          { title: "Status", cell: ({ status }) => <Badge status={status} /> },
          { title: "Payment", cell: ({ paymentStatus }) => <Badge status={paymentStatus} /> },
          { title: "Total", numeric: true, cell: ({ total, currency }) => <Money minor={total} currency={currency} /> },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);

export const Customer = ({ userId, customerName, customerEmail }: OrderRow) => {
  const name = customerName ?? customerEmail ?? "a guest";
  return userId === null ? <span>{name}</span> : <a href={`/admin/customers/${userId}`}>{name}</a>;
};
