import type { Context } from "hono";
import type { WebhookWithSecret } from "../../integrations/webhooks/admin-schemas.ts";
import { readHealth } from "../../integrations/webhooks/deliveries.ts";
import type { EndpointHealth } from "../../integrations/webhooks/delivery/rows.ts";
import { listWebhooks, patternsByNoun, type WebhookRow, webhookFields } from "../../integrations/webhooks/endpoints.ts";
import type { PauseReason } from "../../platform/db/schema.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { inputsOf, valuesOf } from "../forms/conversion.ts";
import { choosing, type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { Choice, Field, Fields, Group } from "../kit/fields.tsx";
import { NewPage, ShownOnce } from "../kit/page-parts.tsx";
import { Badge, CopyField } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import { type PanelEnv, page } from "../page.tsx";

const reasons: Record<PauseReason, string> = {
  failing: "paused: no delivery succeeded for five days",
  gone: "paused: the receiver responded with 410 Gone",
};

/** A webhook and the health of its deliveries. Null if its Durable Object is unreachable. */
export type CheckedWebhook = WebhookRow & { health: EndpointHealth | null };

export const withHealth = async (c: Context<PanelEnv>, webhook: WebhookRow): Promise<CheckedWebhook> => ({
  ...webhook,
  health: await readHealth(c.env, webhook),
});

/** True if deliveries wait because the webhook fails or was paused. */
const isTroubled = ({ enabled, pauseReason, health }: CheckedWebhook): boolean =>
  enabled ? typeof health?.failingSince === "number" : pauseReason !== null;

/** State of a webhook: enabled, or the reason why it gets no events. */
export const WebhookStatus = ({ webhook }: { webhook: CheckedWebhook }) => {
  const { enabled, pauseReason, health } = webhook;
  if (!enabled) {
    return (
      <>
        <Badge status="disabled" />
        {pauseReason && <div class="muted">{reasons[pauseReason]}</div>}
      </>
    );
  }
  if (!isTroubled(webhook)) return <Badge status="active" />;
  return (
    <>
      <Badge status="failing" />
      <div>
        {health?.lastError}, since <When at={health?.failingSince ?? null} />
      </div>
      <div class="muted">{health?.pending === 1 ? "1 event waits" : `${health?.pending} events wait`}</div>
    </>
  );
};

export async function webhooksPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, PageQuery);
  const { rows: webhooks, ...place } = await listWebhooks(c.var, query);
  const rows = await Promise.all(webhooks.map((row) => withHealth(c, row)));
  return listPage(c, {
    noun: "webhooks",
    add: { label: "New webhook", needs: "webhooks:write" },
    above: rows.some(isTroubled) && (
      <p class="notice warning">
        Events are not arriving at {rows.filter(isTroubled).length} of {rows.length} webhooks. Undelivered events are
        kept for 30 days.
      </p>
    ),
    found: { ...place, rows },
    form,
    columns: [
      {
        title: "Address",
        cell: ({ id, url: address }) => (
          <a class="cut" href={`${WEBHOOKS_PATH}/${id}`} title={address}>
            {address}
          </a>
        ),
      },
      { title: "State", cell: (row) => <WebhookStatus webhook={row} /> },
      { title: "Description", cell: ({ description }) => description },
      {
        title: "Events",
        cell: ({ types }) => (types.length === 0 ? "test events only" : types.map(wordsOf).join(", ")),
      },
    ],
    purpose: "A webhook sends the shop's events to your server as they happen.",
  });
}

/** `order.*` is "all order events". */
const wordsOf = (pattern: string): string => {
  if (pattern === "*") return "everything";
  return pattern.endsWith(".*") ? `all ${nounOf(pattern.slice(0, -2))} events` : pattern;
};

const nounOf = (noun: string): string => (noun === "api_key" ? "API key" : noun.replaceAll("_", " "));

const WEBHOOKS_PATH = "/admin/webhooks";

export function newWebhookPage(c: Context<PanelEnv>, failed: Failed | null) {
  const form = formFor(failed, WEBHOOKS_PATH, { inputs: webhookInputs, values: valuesOf(webhookFields) });
  return page(
    c,
    "New webhook",
    <NewPage form={form} button="Create webhook">
      <WebhookFields form={form} />
    </NewPage>,
  );
}

const declared = inputsOf(webhookFields);

/** The webhook's form, by API field. */
export const webhookInputs = {
  ...declared,
  types: choosing(declared.types, [
    ["*", "Everything"],
    ...patternsByNoun.flatMap(({ noun, all, types }) => [
      [all, `All ${nounOf(noun)} events`] as const,
      ...types.map((type) => [type, type] as const),
    ]),
  ]),
} satisfies FormInputs;

export const WebhookFields = ({ form }: { form: FormState<keyof typeof webhookInputs> }) => (
  <>
    <Fields form={form} names={["url", "description"]} />
    <Group form={form} name="types">
      <div class="event-types" data-ticks>
        <Choice form={form} name="types" value="*" />
        {patternsByNoun.map(({ all, types }) => (
          <div class="event-noun" data-ticks>
            {[all, ...types].map((value) => (
              <Choice form={form} name="types" value={value} />
            ))}
          </div>
        ))}
      </div>
    </Group>
    <Field form={form} name="enabled" />
  </>
);

export const SecretPage = ({ webhook }: { webhook: WebhookWithSecret }) => (
  <ShownOnce
    warning={
      <>
        Copy the secret of <strong>{webhook.url}</strong> now and keep it in a secret store. It is shown only once. The
        receiver uses it to verify that requests come from this shop.
      </>
    }
    next={`${WEBHOOKS_PATH}/${webhook.id}`}
  >
    <CopyField id="webhook-secret" label="Secret" value={webhook.secret} />
  </ShownOnce>
);
