import type { Context } from "hono";
import { ApiError } from "../../domain/errors.ts";
import type { DeliveriesQuery } from "../../integrations/webhooks/admin-schemas.ts";
import { listWebhookDeliveries } from "../../integrations/webhooks/deliveries.ts";
import type { DeliveryRow } from "../../integrations/webhooks/delivery/rows.ts";
import { messageIdOf, type WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import type { PageOf } from "../../platform/db/page.ts";
import { formFor } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Card, EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, Reference } from "../kit/values.tsx";
import type { PanelEnv } from "../page.tsx";
import { type Names, readNames } from "../references.ts";

/** A page of deliveries with their subjects. Null if they cannot be read. */
export type Deliveries = (PageOf<DeliveryRow> & { names: Names }) | null;

export const DeliveryTable = ({ path, deliveries }: { path: string; deliveries: Deliveries }) => {
  if (deliveries === null) return <p class="notice warning">Deliveries cannot be loaded right now.</p>;
  if (deliveries.rows.length === 0) return <EmptyState title="No deliveries">Send a test event to see one.</EmptyState>;
  return (
    <Table
      label="Deliveries"
      rows={deliveries.rows}
      columns={[
        {
          title: "Event",
          cell: ({ id, type, created_at }) => (
            <>
              <a class="nowrap" href={`${path}/deliveries/${id}`}>
                {type}
              </a>
              <div class="muted">
                <When at={created_at} />
              </div>
            </>
          ),
        },
        { title: "About", cell: (row) => <Subject {...row} names={deliveries.names} /> },
        { title: "State", cell: (row) => <DeliveryState {...row} /> },
        { title: "Last response", cell: (row) => <LastResponse {...row} /> },
        {
          title: "Send again",
          cell: (row) =>
            canBeSent(row) ? (
              <Allowed to="webhooks:write">
                <Retry path={path} {...row} />
              </Allowed>
            ) : null,
        },
      ]}
    />
  );
};

/** Subject of a delivery's event. */
const Subject = ({ type, subject, names }: DeliveryRow & { names: Names }) =>
  type === "webhook.test" ? <>this webhook</> : <Reference to={subject} names={names} />;

const DeliveryState = ({ state, due_at, attempts }: DeliveryRow) => (
  <>
    <Badge status={state} />
    {state === "pending" && due_at === null && <div class="muted">follows an earlier one</div>}
    {state === "pending" && due_at !== null && attempts.length > 0 && (
      <div class="muted">
        Next attempt <When at={due_at} />
      </div>
    )}
  </>
);

/** "200 in 12 ms", or why there was no response. */
const outcomeOf = ({ status, error, duration_ms }: DeliveryRow["attempts"][number]): string =>
  `${error ?? status} in ${duration_ms} ms`;

const LastResponse = ({ attempts }: DeliveryRow) => {
  const last = attempts.at(-1);
  if (!last) return <span class="muted">none yet</span>;
  return (
    <>
      {outcomeOf(last)}
      {attempts.length > 1 && <div class="muted">Attempt {attempts.length}</div>}
    </>
  );
};

/** A delivery that is sent after an earlier one. */
const canBeSent = ({ state, due_at }: Pick<DeliveryRow, "state" | "due_at">) => state !== "pending" || due_at !== null;

const Retry = ({ path, ...delivery }: DeliveryRow & { path: string }) =>
  canBeSent(delivery) ? (
    <Form form={formFor(null, `${path}/deliveries/${delivery.id}/retry`)}>
      <Button tone="quiet">{delivery.state === "pending" ? "Send now" : "Send again"}</Button>
    </Form>
  ) : null;

/** A webhook's deliveries. The page loads without them if their Durable Object is unreachable. */
export async function readDeliveries(
  c: Context<PanelEnv>,
  webhook: WebhookRow,
  query: DeliveriesQuery,
): Promise<Deliveries> {
  try {
    const page = await listWebhookDeliveries({ env: c.env, caller: c.var.caller }, webhook, query);
    return {
      ...page,
      names: await readNames(
        c.var.db,
        page.rows.map(({ subject }) => subject),
      ),
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return null;
    throw error;
  }
}

type DeliveryPageProps = { webhook: WebhookRow; delivery: DeliveryRow; names: Names };

/** A delivery: the event, next to the endpoint's response. */
export const DeliveryPage = ({ webhook, delivery, names }: DeliveryPageProps) => {
  const path = `/admin/webhooks/${webhook.id}`;
  const { attempts } = delivery;
  return (
    <>
      <PageHeader title={delivery.type} back={{ path, name: new URL(webhook.url).host }}>
        <Allowed to="webhooks:write">{webhook.enabled && <Retry path={path} {...delivery} />}</Allowed>
      </PageHeader>
      <section class="card">
        <DescriptionList
          facts={{
            State: <DeliveryState {...delivery} />,
            About: <Subject {...delivery} names={names} />,
            Event: <code>{messageIdOf(delivery.event_id)}</code>,
            Queued: <When at={delivery.created_at} />,
          }}
        />
      </section>
      <div class="exchange">
        <Card title="Request">
          <pre>{requestOf(webhook, delivery)}</pre>
        </Card>
        <Card title="Responses">
          {attempts.length === 0 && <p class="muted">The event has not been sent yet.</p>}
          {attempts.toReversed().map((attempt) => (
            <div>
              <h3>{outcomeOf(attempt)}</h3>
              <p class="muted">
                <When at={attempt.at} />
              </p>
              {attempt.answer ? <pre>{attempt.answer}</pre> : <p class="muted">No response body.</p>}
            </div>
          ))}
        </Card>
      </div>
    </>
  );
};

/** The latest request as it was sent, without its signature. */
function requestOf({ url }: WebhookRow, { event_id, body, attempts, created_at }: DeliveryRow): string {
  const { at } = attempts.at(-1) ?? { at: created_at };
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": messageIdOf(event_id),
    "webhook-timestamp": Math.floor(at / 1000),
    "webhook-signature": "v1,…",
  };
  return [
    `POST ${new URL(url).pathname}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    JSON.stringify(JSON.parse(body), null, 2),
  ].join("\n");
}
