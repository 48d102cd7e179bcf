import type { Context } from "hono";
import { iso } from "../../domain/fields.ts";
import { type ApiKeyRow, stateAt, unusedSince } from "../../integrations/api-keys/admin-schemas.ts";
import { requireApiKey } from "../../integrations/api-keys/api-keys.ts";
import { apiKeyFields } from "../../integrations/api-keys/fields.ts";
import { lastHourOf } from "../../platform/auth/api-keys/home.ts";
import { deprecations } from "../../platform/http/deprecations.ts";
import { etagOf } from "../../platform/http/version.ts";
import { historyOfKey, type KeyDay, type KeyHistory, type KeyRoute } from "../../platform/metrics/figures.ts";
import type { RegionUsage, UsageMinute } from "../../platform/rate-limit/usage.ts";
import { valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor, graceInput } from "../forms/inputs.ts";
import { BarChart } from "../kit/charts.tsx";
import { formatDate, formatShortDate, When } from "../kit/dates.tsx";
import { Field } from "../kit/fields.tsx";
import { ConfirmButton, Form, Refusal } from "../kit/form.tsx";
import { AuditLink, Card, Live, PageHeader } from "../kit/page-parts.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { DescriptionList } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { KeyStates } from "./list-page.tsx";
import { KeyFields, keyInputs } from "./new-page.tsx";
import { UsageChart } from "./usage.tsx";

type ApiKeyProps = { apiKey: ApiKeyRow; failed: Failed | null };

export async function apiKeyPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const apiKey = await requireApiKey(c.var.db, id);
  const now = Date.now();
  const [usage, history] = await Promise.all([lastHourOf(c.env, apiKey.start), historyOfKey(c.var.db, id, now)]);
  const path = `/admin/api-keys/${id}`;
  const state = stateAt(apiKey, now);
  return page(
    c,
    apiKey.name,
    <>
      <PageHeader>
        <KeyStates apiKey={apiKey} now={now} />
        <AuditLink subject="api_key" id={apiKey.id} />
        {state === "active" && <Rotate apiKey={apiKey} failed={failed} />}
        {state !== "revoked" && (
          <ConfirmButton
            form={formFor(failed, `${path}/revoke`, { etag: etagOf(apiKey.updatedAt) })}
            label="Revoke"
            title={`Revoke ${apiKey.name}?`}
            text="Requests with this key are refused immediately. A revoked key cannot be restored."
          />
        )}
      </PageHeader>
      <Refusal failed={failed} offered={state === "revoked" ? [] : [path, `${path}/rotate`, `${path}/revoke`]} />
      <section class="card">
        <DescriptionList
          facts={{
            Key: <code>{apiKey.start}…</code>,
            Created: <When at={apiKey.createdAt} />,
            "Last used": <When at={apiKey.lastUsedAt} none="not yet" />,
            Revoked: apiKey.revokedAt === null ? undefined : <When at={apiKey.revokedAt} />,
          }}
        />
        {unusedSince(apiKey, now) !== null && (
          <p class="notice warning">
            This key has not been used for 90 days. If nobody needs it, revoke it, so that nobody else can use it.
          </p>
        )}
        {inGrace(apiKey, now) && (
          <p class="notice warning">
            The previous value works until <When at={apiKey.previousExpiresAt} />.
          </p>
        )}
        <Live id="usage" src={`${path}/usage`} seconds={5}>
          <UsageChart usage={usage} now={now} />
        </Live>
      </section>
      <History {...history} usage={usage} />
      {state !== "revoked" && <Edit apiKey={apiKey} failed={failed} />}
    </>,
  );
}

/** True while the value from before the last rotation still works. */
const inGrace = (key: ApiKeyRow, now: number): boolean =>
  stateAt(key, now) === "active" && (key.previousExpiresAt ?? 0) > now;

const Rotate = ({ apiKey, failed }: ApiKeyProps) => {
  const form = formFor(failed, `/admin/api-keys/${apiKey.id}/rotate`, {
    inputs: { grace_seconds: graceInput("Old value stays valid for") },
    values: { grace_seconds: 3600 },
    etag: etagOf(apiKey.updatedAt),
  });
  return (
    <ConfirmButton
      form={form}
      label="Rotate"
      title={`Rotate ${apiKey.name}?`}
      text="Creates a new value, shown only once. The name, permissions and limit stay the same."
      tone="primary"
    >
      <Field form={form} name="grace_seconds" />
    </ConfirmButton>
  );
};

const Edit = ({ apiKey, failed }: ApiKeyProps) => {
  const form = formFor(failed, `/admin/api-keys/${apiKey.id}`, {
    inputs: keyInputs,
    values: valuesOf(apiKeyFields, apiKey),
    etag: etagOf(apiKey.updatedAt),
  });
  return (
    <Form form={form} save="Save API key">
      <KeyFields form={form} />
    </Form>
  );
};

const isUsed = ({ admitted, refused }: UsageMinute): boolean => admitted + refused > 0;

/** The last 90 days of a key, by day and by route, which a request joins some seconds later. */
export const History = ({ days, routes, usage }: KeyHistory & { usage: RegionUsage[] }) => (
  <Card title="Last 90 days">
    {routes.length === 0 ? (
      <p class="muted">
        {usage.some(({ minutes }) => minutes.some(isUsed))
          ? "Not counted yet: requests are added within a minute."
          : "No requests in the last 90 days."}
      </p>
    ) : (
      <>
        <BarChart title="Requests by day (UTC)" series={["Answered", "Refused or failed"]} points={days.map(pointOf)} />
        <Table label="Requests by route" rows={routes} columns={columns} />
      </>
    )}
  </Card>
);

function pointOf({ at, requests, refused, clientErrors, serverErrors }: KeyDay) {
  const day = iso(at).slice(0, 10);
  const failed = refused + clientErrors + serverErrors;
  return { label: formatShortDate(day), name: formatDate(day), values: [requests - failed, failed] };
}

const count = (value: number) => (value === 0 ? null : value.toLocaleString("en"));

const columns: Column<KeyRoute>[] = [
  {
    title: "Route",
    cell: ({ route }) => (
      <>
        <code>{route}</code>
        {deprecations[route] && <small class="muted">Deprecated, ends {deprecations[route].sunset}</small>}
      </>
    ),
  },
  { title: "Last used", cell: ({ lastAt }) => <When at={lastAt} brief /> },
  { title: "Requests", numeric: true, cell: ({ requests }) => count(requests) },
  { title: "Refused", numeric: true, cell: ({ refused }) => count(refused) },
  { title: "Errors", numeric: true, cell: ({ clientErrors, serverErrors }) => count(clientErrors + serverErrors) },
  { title: "Half within", numeric: true, cell: ({ p50 }) => milliseconds(p50) },
  { title: "95 % within", numeric: true, cell: ({ p95 }) => milliseconds(p95) },
];

const milliseconds = (value: number | null) => value !== null && <span class="nowrap">{value} ms</span>;
