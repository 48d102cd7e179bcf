import type { ApiKeyRow } from "../../auth/api-keys/admin-schemas.ts";
import { keyStates, stateAt } from "../../auth/api-keys/state.ts";
import type { Page } from "../../http/pagination.ts";
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

type Props = { rows: ApiKeyRow[]; place: Page; form: FormState; url: string; now: number };

const states = Object.fromEntries(keyStates.map((state) => [state, state]));

export const tiers = { standard: "Standard: 100 requests a minute", premium: "Premium: 1000 requests a minute" };

export const ApiKeysPage = ({ rows, place, form, url, now }: Props) => (
  <>
    <PageHeader title="API Manager">
      <LinkButton href="/admin/api-keys/new" tone="primary">
        Create New API Key
      </LinkButton>
    </PageHeader>
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "search", label: "Search" },
        { name: "state", label: "State", options: states },
        { name: "tier", label: "Tier", options: { standard: "Standard", premium: "Premium" } },
      ]}
    />
    {rows.length === 0 ? (
      <EmptyState title={isNarrowed(form) ? "No key matches" : "No API keys yet"}>
        A key lets a server of yours call the API, with just the permissions that you give it.
      </EmptyState>
    ) : (
      <Table
        label="API keys"
        rows={rows}
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={`/admin/api-keys/${id}`}>{name}</a> },
          { title: "Key", cell: ({ start }) => <code>{start}…</code> },
          { title: "Permissions", cell: ({ permissions }) => inWords(permissions) },
          { title: "Tier", cell: ({ tier }) => tier },
          { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
          { title: "Last used", cell: ({ lastUsedAt }) => <When at={lastUsedAt} none="not yet" /> },
          { title: "State", cell: (row) => <Badge status={stateAt(row, now)} /> },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);

const inWords = (permissions: string[]): string =>
  permissions.includes("read") && permissions.includes("write") ? "everything" : permissions.join(", ");
