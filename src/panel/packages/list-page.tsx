import { packageStatus, packageStatuses } from "../../entitlement.ts";
import type { PackageRow } from "../../packages/schemas.ts";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";

type Props = ListProps<PackageRow> & { now: number };

const statuses = packageStatuses.map((status) => [status, status] as const);

export const PackagesPage = ({ now, ...list }: Props) => (
  <>
    <PageHeader title="Packages">
      <LinkButton href="/admin/packages/new" tone="primary">
        Grant package
      </LinkButton>
    </PageHeader>
    <Listing
      {...list}
      label="Packages"
      filters={[
        { name: "user_id", label: "Customer's id" },
        { name: "order_id", label: "Order's id" },
        { name: "status", label: "Status", options: statuses },
      ]}
      columns={[
        { title: "Name", cell: ({ id, name }) => <a href={`/admin/packages/${id}`}>{name}</a> },
        { title: "Customer", cell: (row) => <Holder {...row} /> },
        { title: "Order", cell: (row) => <Origin {...row} /> },
        { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
        { title: "Status", cell: (row) => <Badge status={packageStatus(row, now)} /> },
        { title: "Downloads", numeric: true, cell: (row) => <Used {...row} /> },
      ]}
      none={{ title: "No packages yet", narrowed: "No package matches" }}
    >
      Each sold unit of a product with files is one; so is what you grant.
    </Listing>
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
