import type { AccountRow, ProfileRow } from "../../accounts/users/schemas.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Badge, CopyField, EmailAddress, MoneyAmount } from "../kit/values.tsx";
import { roleLabels } from "./inputs.ts";

type CustomersPageProps = ListProps<ProfileRow> & { currency: string };

export const customerFilters = {
  search: { as: "search", label: "E-mail or name" },
  role: choiceFilter("Role", roleLabels),
  state: choiceFilter("State", [
    ["active", "Active"],
    ["disabled", "Disabled"],
  ]),
  ...dateFilters("Since"),
  sort: choiceFilter(
    "Sort by",
    [
      ["oldest", "Oldest"],
      ["name", "Name"],
      ["-name", "Name, from Z to A"],
    ],
    "Newest",
  ),
} satisfies FormInputs;

export const CustomersPage = ({ currency, ...list }: CustomersPageProps) => (
  <>
    <PageHeader title="Customers">
      <ExportMenu form={list.form} needs="users:read" lists={[{ list: "customers", label: "Customers" }]} />
    </PageHeader>
    <ListPage
      {...list}
      label="Customers"
      columns={[
        {
          title: "Name",
          cell: ({ id, name }) => <a href={`/admin/customers/${id}`}>{name}</a>,
          sort: { ascending: "name", descending: "-name" },
        },
        { title: "E-mail", cell: ({ email }) => <EmailAddress text={email} /> },
        { title: "Role", wide: true, cell: ({ role }) => roleLabels.get(role) },
        { title: "State", cell: ({ disabledAt }) => <Badge status={accountStatus(disabledAt)} /> },
        {
          title: "Since",
          phone: "none",
          cell: ({ createdAt }) => <When at={createdAt} brief="day" />,
          sort: { ascending: "oldest", descending: "newest" },
        },
        {
          title: "Wallet",
          numeric: true,
          cell: ({ walletBalance }) => <MoneyAmount minor={walletBalance} currency={currency} />,
        },
      ]}
      none={{ title: "No customers yet", narrowed: "No matching customers" }}
    >
      People who sign up appear here.
    </ListPage>
  </>
);

export const accountStatus = (disabledAt: number | null) => (disabledAt === null ? "active" : "disabled");

/** Shows a new member of staff's password, once. */
export const NewStaffPage = ({ user, password }: { user: AccountRow; password: string }) => (
  <>
    <PageHeader title="New member of staff" back={{ path: "/admin/customers", name: "Customers" }} />
    <div class="card">
      <p class="notice warning">
        <strong>{user.name}</strong> has the role {roleLabels.get(user.role)} now and was signed out everywhere, since
        anyone may have registered {user.email}. Hand over this new password in person. It is shown only once.
      </p>
      <CopyField id="new-password" label="New password" value={password} />
      <LinkButton href={`/admin/customers/${user.id}`} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);
