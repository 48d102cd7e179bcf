import { webhookIdOf } from "../../integrations/webhooks/admin-schemas.ts";
import type { DeliveryRow } from "../../integrations/webhooks/delivery/rows.ts";
import type { WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { DescriptionList } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import { DeliveryState, outcomeOf, Retry, Subject } from "./deliveries.tsx";

type DeliveryPageProps = { webhook: WebhookRow; delivery: DeliveryRow; names: Names };

/** A delivery: what was sent, beside what the endpoint answered. */
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
            Event: <code>{webhookIdOf(delivery.event_id)}</code>,
            Queued: <When at={delivery.created_at} />,
          }}
        />
      </section>
      <div class="exchange">
        <section class="card">
          <h2>Request</h2>
          <pre>{requestOf(webhook, delivery)}</pre>
        </section>
        <section class="card">
          <h2>Responses</h2>
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
        </section>
      </div>
    </>
  );
};

/** The latest request as it was sent, without its signature. */
function requestOf({ url }: WebhookRow, { event_id, body, attempts, created_at }: DeliveryRow): string {
  const { at } = attempts.at(-1) ?? { at: created_at };
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": webhookIdOf(event_id),
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
