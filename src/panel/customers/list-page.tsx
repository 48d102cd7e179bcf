import type { ProfileRow } from "../../accounts/users/schemas.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Badge, EmailAddress, MoneyAmount } from "../kit/values.tsx";

type CustomersPageProps = ListProps<ProfileRow> & { currency: string };

export const customerFilters = {
  search: { as: "search", label: "E-mail or name" },
  state: choiceFilter("State", [
    ["active", "Active"],
    ["disabled", "Disabled"],
  ]),
  min_spent: { as: "money", label: "Spent at least" },
  max_spent: { as: "money", label: "Spent at most" },
  min_orders: { as: "number", label: "Orders at least" },
  max_orders: { as: "number", label: "Orders at most" },
  ...dateFilters("Since"),
  sort: choiceFilter(
    "Sort by",
    [
      ["oldest", "Oldest"],
      ["name", "Name"],
      ["-name", "Name, from Z to A"],
      ["-spent", "Spent most"],
      ["spent", "Spent least"],
      ["-orders", "Most orders"],
      ["orders", "Fewest orders"],
    ],
    "Newest",
  ),
} satisfies FormInputs;

export const CustomersPage = ({ currency, ...list }: CustomersPageProps) => (
  <>
    <PageHeader title="Customers">
      <Allowed to="users:write">
        <LinkButton href="/admin/customers/new" tone="primary">
          Add customer
        </LinkButton>
      </Allowed>
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
        { title: "State", cell: ({ disabledAt }) => <Badge status={accountStatus(disabledAt)} /> },
        {
          title: "Since",
          phone: "none",
          cell: ({ createdAt }) => <When at={createdAt} brief="day" />,
          sort: { ascending: "oldest", descending: "newest" },
        },
        {
          title: "Orders",
          numeric: true,
          cell: ({ orderCount }) => String(orderCount),
          sort: { ascending: "-orders", descending: "orders" },
        },
        {
          title: "Spent",
          numeric: true,
          cell: ({ spent }) => <MoneyAmount minor={spent} currency={currency} />,
          sort: { ascending: "-spent", descending: "spent" },
        },
      ]}
      none={{ title: "No customers yet", narrowed: "No matching customers" }}
    >
      People who sign up appear here.
    </ListPage>
  </>
);

export const accountStatus = (disabledAt: number | null) => (disabledAt === null ? "active" : "disabled");
