import type { Context } from "hono";
import { HOUR_MS } from "../../domain/time.ts";
import { DeliveriesQuery } from "../../integrations/webhooks/admin-schemas.ts";
import { deliveryStates } from "../../integrations/webhooks/delivery/rows.ts";
import { webhookFields, withIncluded } from "../../integrations/webhooks/endpoints.ts";
import { requireWebhook } from "../../integrations/webhooks/write.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { valuesOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, formFor, graceInput } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { formatForInput, When } from "../kit/dates.tsx";
import { Field, Fields } from "../kit/fields.tsx";
import { choiceFilter, FilterBar, ownLabels } from "../kit/filters.tsx";
import { Button, ConfirmButton, Form, Refusal } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { AuditLink, Card, FormCard, Live, PageHeader } from "../kit/page-parts.tsx";
import { DescriptionList } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { DeliveryTable, readDeliveries } from "./deliveries.tsx";
import { type CheckedWebhook, WebhookFields, WebhookStatus, webhookInputs, withHealth } from "./pages.tsx";

const deliveryFilters = { state: choiceFilter("State", ownLabels(deliveryStates)) } satisfies FormInputs;

export async function webhookPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const webhook = await withHealth(c, await requireWebhook(c.var, id));
  const { query, form: filters } = readFilters(c, DeliveriesQuery, deliveryFilters);
  const deliveries = await readDeliveries(c, webhook, query);
  const [{ url }, now] = [c.req, Date.now()];
  const path = `/admin/webhooks/${id}`;
  const actions = ["", "/rotate", "/replay", "/delete"].map((action) => path + action);
  return page(
    c,
    "Webhook",
    <>
      <PageHeader title={new URL(webhook.url).host}>
        <AuditLink subject="webhook" id={id} />
        <Allowed to="webhooks:write">
          {webhook.enabled && <ReplayButton path={path} failed={failed} now={now} />}
          <RotateButton webhook={webhook} path={path} failed={failed} />
          <ConfirmButton
            form={formFor(failed, `${path}/delete`, { etag: etagOf(webhook.updatedAt) })}
            label="Delete"
            title="Delete this webhook?"
            text="The webhook receives no more events, and its delivery log is deleted."
          />
        </Allowed>
      </PageHeader>
      <Refusal failed={failed} offered={actions} />
      <section class="card">
        <p>
          <code>{webhook.url}</code>
        </p>
        <DescriptionList
          facts={{
            State: <WebhookStatus webhook={webhook} />,
            Created: <When at={webhook.createdAt} />,
            "Previous secret":
              (webhook.previousExpiresAt ?? 0) > now ? <When at={webhook.previousExpiresAt} /> : undefined,
          }}
        />
      </section>
      <Card
        title="Deliveries"
        beside={
          <Allowed to="webhooks:write">
            {webhook.enabled && (
              <Form form={formFor(null, `${path}/test`)}>
                <Button tone="quiet">Send a test event</Button>
              </Form>
            )}
          </Allowed>
        }
      >
        <FilterBar form={{ ...filters, action: path }} />
        <Live id="deliveries" src={`${path}/deliveries${new URL(url).search}`} seconds={3}>
          <DeliveryTable path={path} deliveries={deliveries} />
        </Live>
        <Pagination page={deliveries ?? pageOf(query, 0)} url={url} />
      </Card>
      <Edit webhook={webhook} path={path} failed={failed} />
    </>,
  );
}

type ActionProps = { path: string; failed: Failed | null };

const Edit = ({ webhook, path, failed }: ActionProps & { webhook: CheckedWebhook }) => {
  const values = valuesOf(webhookFields, { ...webhook, types: withIncluded(webhook.types) });
  const form = formFor(failed, path, { inputs: webhookInputs, values, etag: etagOf(webhook.updatedAt) });
  return (
    <FormCard title="Edit" form={form} needs="webhooks:write" button="Save webhook">
      <WebhookFields form={form} />
    </FormCard>
  );
};

const RotateButton = ({ webhook, path, failed }: ActionProps & { webhook: CheckedWebhook }) => {
  const form = formFor(failed, `${path}/rotate`, {
    inputs: { grace_seconds: graceInput("Old secret stays valid for") },
    values: { grace_seconds: 86_400 },
    etag: etagOf(webhook.updatedAt),
  });
  return (
    <ConfirmButton
      form={form}
      label="Rotate secret"
      title="Rotate the secret?"
      text="The new secret is shown once. Requests are signed with both secrets until the old one expires."
      action="Rotate"
      tone="primary"
    >
      <Field form={form} name="grace_seconds" />
    </ConfirmButton>
  );
};

export const replayInputs = {
  from: { as: "moment", label: "From", required: true },
  to: { as: "moment", label: "To", required: true },
} satisfies FormInputs;

const ReplayButton = ({ path, failed, now }: ActionProps & { now: number }) => {
  const form = formFor(failed, `${path}/replay`, {
    inputs: replayInputs,
    values: { from: formatForInput(now - HOUR_MS), to: formatForInput(now) },
  });
  return (
    <ConfirmButton
      form={form}
      label="Replay"
      title="Send events again?"
      text="Events of this period that the webhook subscribes to are sent again, after any pending deliveries."
      action="Replay"
      tone="primary"
    >
      <Fields form={form} names={["from", "to"]} />
    </ConfirmButton>
  );
};
