import { packageStatus, packageStatuses } from "../../entitlement.ts";
import type { Page } from "../../http/pagination.ts";
import type { PackageRow } from "../../packages/schemas.ts";
import { type FormState, isNarrowed } from "../forms/state.ts";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterBar } from "../kit/filter-bar.tsx";
import { FormErrors } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

type Props = { rows: PackageRow[]; place: Page; form: FormState; url: string; now: number };

const statuses = Object.fromEntries(packageStatuses.map((status) => [status, status]));

export const PackagesPage = ({ rows, place, form, url, now }: Props) => (
  <>
    <PageHeader title="Packages">
      <LinkButton href="/admin/packages/new" tone="primary">
        Grant package
      </LinkButton>
    </PageHeader>
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "user_id", label: "Customer's id" },
        { name: "order_id", label: "Order's id" },
        { name: "status", label: "Status", options: statuses },
      ]}
    />
    {rows.length === 0 ? (
      <EmptyState title={isNarrowed(form) ? "No package matches" : "No packages yet"}>
        Each sold unit of a product with files is one; so is what you grant.
      </EmptyState>
    ) : (
      <Table
        label="Packages"
        rows={rows}
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={`/admin/packages/${id}`}>{name}</a> },
          { title: "Customer", cell: (row) => <Holder {...row} /> },
          { title: "Order", cell: (row) => <Origin {...row} /> },
          { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
          { title: "Status", cell: (row) => <Badge status={packageStatus(row, now)} /> },
          { title: "Downloads", numeric: true, cell: (row) => <Used {...row} /> },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);

export const Holder = ({ userId }: PackageRow) =>
  userId === null ? <span class="muted">nobody</span> : <a href={`/admin/customers/${userId}`}>customer {userId}</a>;

export const Origin = ({ orderId }: PackageRow) =>
  orderId === null ? <span class="muted">granted</span> : <a href={`/admin/orders/${orderId}`}>order {orderId}</a>;

export const Used = ({ downloadsUsed, downloadLimit }: PackageRow) => (
  <span>
    {downloadsUsed} of {downloadLimit ?? "any number"}
  </span>
);
