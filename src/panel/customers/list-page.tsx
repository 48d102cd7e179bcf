import type { Page } from "../../http/pagination.ts";
import type { Profile } from "../../profile.ts";
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

type Props = { rows: Profile[]; place: Page; form: FormState; url: string; currency: string };

export const roles = { customer: "Customer", admin: "Administrator" };

export const CustomersPage = ({ rows, place, form, url, currency }: Props) => (
  <>
    <PageHeader title="Customers" />
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "search", label: "E-mail or name" },
        { name: "role", label: "Role", options: roles },
        { name: "state", label: "State", options: { active: "Active", disabled: "Disabled" } },
      ]}
    />
    {rows.length === 0 ? (
      <EmptyState title={isNarrowed(form) ? "Nobody matches" : "No accounts yet"}>
        People who sign up show up here.
      </EmptyState>
    ) : (
      <Table
        label="Customers"
        rows={rows}
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={`/admin/customers/${id}`}>{name}</a> },
          { title: "E-mail", cell: ({ email }) => email },
          { title: "Role", cell: ({ role }) => roles[role] },
          { title: "State", cell: ({ disabledAt }) => <Badge status={stateOf(disabledAt)} /> },
          { title: "Since", cell: ({ createdAt }) => <When at={createdAt} /> },
          {
            title: "Wallet",
            numeric: true,
            cell: ({ walletBalance }) => <Money minor={walletBalance} currency={currency} />,
          },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);

export const stateOf = (disabledAt: number | null): string => (disabledAt === null ? "active" : "disabled");
