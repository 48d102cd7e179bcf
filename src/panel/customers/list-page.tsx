import type { Context } from "hono";
import { listCustomers } from "../../accounts/users/list.ts";
import { UsersQuery } from "../../accounts/users/schemas.ts";
import { bulkActionsOf, customersActionInputs } from "../bulk-actions/forms.tsx";
import { readTags } from "../choices.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu } from "../kit/filters.tsx";
import { Badge, EmailAddress, MoneyAmount } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { viewsOf } from "../saved-views/routes.tsx";

const customerFilters = (tags: readonly string[] = []) =>
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

export async function customersPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, UsersQuery, customerFilters());
  const [found, views, tags] = await Promise.all([
    listCustomers(c.var.db, query),
    viewsOf(c, "users"),
    readTags(c.var.db, "users"),
  ]);
  return listPage(c, {
    noun: "customers",
    actions: <ExportMenu form={form} needs="users:read" lists={[{ list: "customers", label: "Customers" }]} />,
    add: { label: "Add customer", needs: "users:write" },
    found,
    views,
    form: { ...form, inputs: customerFilters(tags) },
    columns: [
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
        cell: ({ spent }) => <MoneyAmount minor={spent} />,
        sort: { ascending: "-spent", descending: "spent" },
      },
    ],
    bulk: { ...bulkActionsOf("/admin/customers", customersActionInputs), needs: "users:write", selects: (row) => row },
    purpose: "People who sign up appear here.",
  });
}

export const accountStatus = (disabledAt: number | null) => (disabledAt === null ? "active" : "disabled");
