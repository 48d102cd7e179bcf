import type { WebhookWithSecret } from "../../integrations/webhooks/admin-schemas.ts";
import type { WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import { patternsByNoun } from "../../integrations/webhooks/fields.ts";
import type { PauseReason } from "../../platform/db/schema.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { CopyField } from "../kit/copy-field.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Checkbox, Field, Fieldset } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

const reasons: Record<PauseReason, string> = {
  failing: "paused: nothing arrived for five days",
  gone: "disabled: the endpoint responded 410 Gone",
};

/** Whether a webhook is enabled, or the reason why not. */
export const WebhookStatus = ({ webhook: { enabled, pauseReason } }: { webhook: WebhookRow }) => (
  <>
    <Badge status={enabled ? "active" : "disabled"} />
    {pauseReason && <div class="muted">{reasons[pauseReason]}</div>}
  </>
);

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

const LIST = "/admin/webhooks";

export const NewWebhookPage = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, LIST, { enabled: true });
  return (
    <>
      <PageHeader title="New webhook" back={{ path: LIST, name: "Webhooks" }} />
      <div class="card">
        <Form form={form}>
          <WebhookFields form={form} />
          <div class="actions">
            <Button>Create webhook</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};

export const WebhookFields = ({ form }: { form: FormState }) => (
  <>
    <Field
      form={form}
      name="url"
      label="Address"
      type="url"
      placeholder="https://example.com/webhooks"
      hint="A public https:// address."
      required
      maxlength={2000}
    />
    <Field form={form} name="description" label="Description" hint="Purpose of the endpoint." maxlength={200} />
    <Fieldset form={form} name="types" label="Events" hint="If none is chosen, only test events are sent.">
      <div class="event-types">
        <Checkbox form={form} name="types" value="*" label="Everything" />
        {patternsByNoun.map(({ noun, all, types }) => (
          <div class="event-noun">
            <Checkbox form={form} name="types" value={all} label={`All of ${noun.replaceAll("_", " ")}`} />
            {types.map((type) => (
              <Checkbox form={form} name="types" value={type} label={type} />
            ))}
          </div>
        ))}
      </div>
    </Fieldset>
    <Checkbox form={form} name="enabled" label="Enabled" hint="Events in the meantime are sent once it is enabled." />
  </>
);

/** Shows a webhook's secret, once. */
export const SecretPage = ({ title, webhook }: { title: string; webhook: WebhookWithSecret }) => (
  <>
    <PageHeader title={title} back={{ path: "/admin/webhooks", name: "Webhooks" }} />
    <div class="card">
      <p class="notice warning">
        Copy the secret of <strong>{webhook.url}</strong> now and keep it in a secret store. It is shown only once. The
        receiver uses it to verify that requests come from this shop.
      </p>
      <CopyField id="webhook-secret" label="Secret" value={webhook.secret} />
      <LinkButton href={`/admin/webhooks/${webhook.id}`} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);
