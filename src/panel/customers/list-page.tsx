import type { ProfileRow } from "../../accounts/users/schemas.ts";
import { CustomersActionFields, customersActionInputs } from "../bulk-actions/forms.tsx";
import { type FormInputs, formFor } from "../forms/inputs.ts";
import { Allowed, useAllowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu } from "../kit/filters.tsx";
import { LinkButton } from "../kit/form.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Badge, EmailAddress, MoneyAmount } from "../kit/values.tsx";

type CustomersPageProps = ListProps<ProfileRow> & { currency: string; tags: readonly string[] };

export const customerFilters = (tags: readonly string[] = []) =>
  ({
    search: { as: "search", label: "E-mail or name" },
    state: choiceFilter("State", [
      ["active", "Active"],
      ["disabled", "Disabled"],
    ]),
    tag: { as: "text", label: "Tag", suggestions: tags },
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
  }) satisfies FormInputs;

export const CustomersPage = ({ currency, tags, ...list }: CustomersPageProps) => (
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
      form={{ ...list.form, inputs: customerFilters(tags) }}
      label="Customers"
      columns={[
        {
          title: "Name",
          cell: ({ id, name }) => <a href={`/admin/customers/${id}`}>{name}</a>,
          sort: { ascending: "name", descending: "-name" },
        },
        { title: "E-mail", cell: ({ email }) => <EmailAddress text={email} /> },
        { title: "Tags", wide: true, phone: "none", cell: ({ tags }) => tags.join(", ") },
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
      bulk={useAllowed("users:write") ? bulkOf() : undefined}
      none={{ title: "No customers yet", narrowed: "No matching customers" }}
    >
      People who sign up appear here.
    </ListPage>
  </>
);

const bulkOf = () => {
  const form = formFor(null, "/admin/customers/bulk", { inputs: customersActionInputs });
  return {
    form,
    fields: <CustomersActionFields form={form} />,
    selects: ({ id, name }: ProfileRow) => ({ id, name }),
  };
};

export const accountStatus = (disabledAt: number | null) => (disabledAt === null ? "active" : "disabled");
