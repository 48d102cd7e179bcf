import { Badge } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import type { Overview } from "./queries.ts";

export const OverviewPage = ({ newest, toShip, unpaid, fewLeft }: Overview) => (
  <>
    <PageHeader title="Overview" />
    <section class="tiles" aria-label="What wants attention">
      <Tile figure={toShip} label="to ship" href="/admin/orders?status=processing" />
      <Tile figure={unpaid} label="waiting for payment" href="/admin/orders?status=pending" />
      <Tile figure={fewLeft} label="nearly or quite sold out" href="/admin/products?status=active" />
    </section>
    <section class="card">
      <h2>Newest orders</h2>
      <NewestOrders orders={newest} />
    </section>
  </>
);

const Tile = ({ figure, label, href }: { figure: number; label: string; href: string }) => (
  <a class="tile" href={href}>
    <strong>{figure}</strong> {label}
  </a>
);

const NewestOrders = ({ orders }: { orders: Overview["newest"] }) =>
  orders.length === 0 ? (
    <EmptyState title="No orders yet">What customers order shows up here.</EmptyState>
  ) : (
    <Table
      label="Newest orders"
      rows={orders}
      columns={[
        { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
        { title: "Customer", cell: ({ customerName, customerEmail }) => customerName ?? customerEmail ?? "–" },
        { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Status", cell: ({ status }) => <Badge status={status} /> },
        { title: "Total", numeric: true, cell: ({ total, currency }) => <Money minor={total} currency={currency} /> },
      ]}
    />
  );
