import type { ProfileRow } from "../../accounts/users/profile.ts";
import type { Role } from "../../platform/db/schema.ts";
import { Badge } from "../kit/badge.tsx";
import { ExportMenu } from "../kit/export-menu.tsx";
import { dateFilters } from "../kit/filter-bar.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";

type Props = ListProps<ProfileRow> & { currency: string };

export const roles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    customer: "Customer",
    viewer: "Viewer",
    catalogue: "Catalogue",
    support: "Support",
    admin: "Administrator",
  } satisfies Record<Role, string>),
);

export const CustomersPage = ({ currency, ...list }: Props) => (
  <>
    <PageHeader title="Customers">
      <ExportMenu form={list.form} needs="users:read" lists={[{ list: "customers", label: "Customers" }]} />
    </PageHeader>
    <Listing
      {...list}
      label="Customers"
      filters={[
        { name: "search", label: "E-mail or name" },
        { name: "role", label: "Role", options: roles },
        {
          name: "state",
          label: "State",
          options: [
            ["active", "Active"],
            ["disabled", "Disabled"],
          ],
        },
        ...dateFilters("Since"),
        {
          name: "sort",
          label: "Order",
          all: "Newest",
          options: [
            ["oldest", "Oldest"],
            ["name", "Name"],
            ["-name", "Name, from Z to A"],
          ],
        },
      ]}
      columns={[
        {
          title: "Name",
          cell: ({ id, name }) => <a href={`/admin/customers/${id}`}>{name}</a>,
          sort: { ascending: "name", descending: "-name" },
        },
        { title: "E-mail", cell: ({ email }) => email },
        { title: "Role", cell: ({ role }) => roles.get(role) },
        { title: "State", cell: ({ disabledAt }) => <Badge status={accountStatus(disabledAt)} /> },
        {
          title: "Since",
          cell: ({ createdAt }) => <When at={createdAt} />,
          sort: { ascending: "oldest", descending: "newest" },
        },
        {
          title: "Wallet",
          numeric: true,
          cell: ({ walletBalance }) => <Money minor={walletBalance} currency={currency} />,
        },
      ]}
      none={{ title: "No customers yet", narrowed: "Nobody matches" }}
    >
      People who sign up appear here.
    </Listing>
  </>
);

export const accountStatus = (disabledAt: number | null): string => (disabledAt === null ? "active" : "disabled");
