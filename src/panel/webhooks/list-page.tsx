import type { WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { Allowed } from "../kit/allowed.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import { WebhookStatus } from "./status.tsx";

export const WebhooksPage = ({ rows, place, url }: { rows: WebhookRow[]; place: Page; url: string }) => (
  <>
    <PageHeader title="Webhooks">
      <Allowed to="webhooks:write">
        <LinkButton href="/admin/webhooks/new" tone="primary">
          New webhook
        </LinkButton>
      </Allowed>
    </PageHeader>
    {rows.length === 0 ? (
      <EmptyState title="No webhooks yet">A webhook sends the shop's events to your server as they happen.</EmptyState>
    ) : (
      <Table
        label="Webhooks"
        rows={rows}
        columns={[
          { title: "Address", cell: ({ id, url: address }) => <a href={`/admin/webhooks/${id}`}>{address}</a> },
          { title: "Description", cell: ({ description }) => description },
          { title: "Events", cell: ({ types }) => (types.length === 0 ? "tests alone" : types.join(", ")) },
          { title: "State", cell: (row) => <WebhookStatus webhook={row} /> },
          { title: "Created", cell: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);
