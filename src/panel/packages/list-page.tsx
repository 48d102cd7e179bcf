import { type PackageRow, packageStatus, packageStatuses } from "../../downloads/packages/schemas.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/queries.ts";
import { Reference } from "../references/reference.tsx";

type Props = ListProps<PackageRow> & { names: Names; now: number };

const statuses = packageStatuses.map((status) => [status, status] as const);

export const PackagesPage = ({ now, names, ...list }: Props) => (
  <>
    <PageHeader title="Packages">
      <Allowed to="packages:write">
        <LinkButton href="/admin/packages/new" tone="primary">
          Grant package
        </LinkButton>
      </Allowed>
    </PageHeader>
    <Listing
      {...list}
      label="Packages"
      filters={[
        { name: "user_id", label: "Customer" },
        { name: "order_id", label: "Order" },
        { name: "status", label: "Status", options: statuses },
      ]}
      columns={[
        { title: "Name", cell: ({ id, name }) => <a href={`/admin/packages/${id}`}>{name}</a> },
        { title: "Customer", cell: (row) => <Holder {...row} names={names} /> },
        { title: "Order", cell: (row) => <Origin {...row} names={names} /> },
        { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
        { title: "Status", cell: (row) => <Badge status={packageStatus(row, now)} /> },
        { title: "Downloads", numeric: true, cell: (row) => <Used {...row} /> },
      ]}
      none={{ title: "No packages yet", narrowed: "No matching packages" }}
    >
      Packages come from orders of products with files, or you grant them.
    </Listing>
  </>
);

type Named = PackageRow & { names: Names };

export const Holder = ({ userId, names }: Named) =>
  userId === null ? <span class="muted">nobody</span> : <Reference to={`user:${userId}`} names={names} />;

export const Origin = ({ orderId, names }: Named) =>
  orderId === null ? <span class="muted">granted</span> : <Reference to={`order:${orderId}`} names={names} />;

export const referencesOf = ({ userId, orderId }: PackageRow): string[] => [`user:${userId}`, `order:${orderId}`];

export const Used = ({ downloadsUsed, downloadLimit }: PackageRow) => (
  <span>
    {downloadsUsed} of {downloadLimit ?? "any number"}
  </span>
);
