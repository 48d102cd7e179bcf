import type { Child } from "hono/jsx";
import { wordsOfAlert } from "../../back-office/health/alert-kinds.ts";
import { durationInWords } from "../../back-office/health/conditions.ts";
import { type QueueKind, queueKinds } from "../../back-office/health/queue-table.ts";
import type { ShopHealth } from "../../back-office/health/shop-health.ts";
import { shopFields } from "../../back-office/shop/fields.ts";
import type { AlertRow } from "../../platform/db/schema.ts";
import type { RequestFigures } from "../../platform/metrics/figures.ts";
import type { FormState } from "../forms/inputs.ts";
import { When } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Card, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, formatBytes } from "../kit/values.tsx";

/** The shop's alert settings. */
const { alert_email, alert_error_percent } = shopFields;
export const alertFields = { alert_email, alert_error_percent };

type HealthPageProps = { health: ShopHealth; form: FormState<keyof typeof alertFields> };

const tones = { ok: "success", warning: "warning", critical: "error" } as const;

export const HealthPage = ({ health, form }: HealthPageProps) => (
  <>
    <PageHeader />
    <p class={`notice ${tones[health.status]}`} role="status">
      <strong>{health.summary}</strong>
    </p>
    {health.alerts.length > 0 && (
      <section class="group">
        <h2>Open alerts</h2>
        {health.alerts.map((alert) => (
          <OpenAlert alert={alert} />
        ))}
      </section>
    )}
    {health.failingDuties.length > 0 && <FailingTasks health={health} />}
    <Queues health={health} />
    {health.resolved.length > 0 && <Resolved rows={health.resolved} />}
    <Form form={form} needs="settings:write">
      <Card title="Alerts">
        <Fields form={form} names={["alert_email", "alert_error_percent"]} />
        <div class="actions">
          <Button>Save alerts</Button>
        </div>
      </Card>
    </Form>
    <details class="card more">
      <summary>
        <h2>For developers</h2>
      </summary>
      <DescriptionList facts={factsOf(health)} />
      <Versions {...health} />
    </details>
  </>
);

const OpenAlert = ({ alert }: { alert: AlertRow }) => {
  const { title, remedy, path, isUrgent } = wordsOfAlert(alert);
  return (
    <section class="card">
      <h3>
        {title} <Badge status={isUrgent ? "urgent" : "warning"} />
      </h3>
      <p>
        {alert.summary} {remedy}
      </p>
      <p class="muted">
        Since <When at={alert.createdAt} />
        {path !== "/health" && (
          <>
            {" · "}
            <a href={`/admin${path}`}>Look into it</a>
          </>
        )}
      </p>
    </section>
  );
};

const FailingTasks = ({ health }: { health: ShopHealth }) => (
  <Card title="Failing scheduled tasks">
    <Table
      label="Failing scheduled tasks"
      rows={health.failingDuties}
      columns={[
        { title: "Task", cell: ({ duty }) => duty },
        { title: "Error", cell: ({ reason }) => <code>{reason}</code> },
        { title: "Failed runs", numeric: true, cell: ({ attempts }) => attempts.toLocaleString("en") },
        { title: "Since", cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  </Card>
);

const percent = (share: number): string => `${Number((share * 100).toFixed(share > 0 && share < 0.1 ? 2 : 1))} %`;

const milliseconds = (ms: number | null): string => (ms === null ? "–" : `${ms.toLocaleString("en")} ms`);

/** "1,200, of which 0.5 % failed. Half were answered within 12 ms, 95 % within 80 ms." */
const requestsOf = ({ requests, errorRate, p50, p95 }: RequestFigures): string =>
  `${requests.toLocaleString("en")}, of which ${percent(errorRate)} failed. Half were answered within ${milliseconds(p50)}, 95 % within ${milliseconds(p95)}.`;

const Queues = ({ health: { queues } }: { health: ShopHealth }) => {
  const busy = queues.filter(({ depth, failing, isStuck, isOff }) => depth > 0 || failing > 0 || isStuck || isOff);
  return (
    <Card title="Work in the background">
      {busy.length > 0 && (
        <Table
          label="Work in the background"
          phone="lines"
          rows={busy.toSorted(
            (a, b) => Number(b.isStuck) - Number(a.isStuck) || (b.oldestSeconds ?? -1) - (a.oldestSeconds ?? -1),
          )}
          columns={[
            { title: "Work", cell: ({ name }) => queueKinds[name].label },
            { title: "Status", cell: (queue) => <QueueStatus queue={queue} /> },
            { title: "Oldest waits for", numeric: true, cell: waitOf },
            {
              title: "Waiting",
              numeric: true,
              cell: ({ depth, depthIsExact }) => `${depth.toLocaleString("en")}${depthIsExact ? "" : "+"}`,
            },
          ]}
        />
      )}
      <p class="muted">
        {busy.length > 0 ? "Nothing else waits" : "Nothing waits"}:{" "}
        {queues
          .filter((queue) => !busy.includes(queue))
          .map(({ name }) => queueKinds[name].label.toLowerCase())
          .join(", ")}
        .
      </p>
    </Card>
  );
};

type Queue = ShopHealth["queues"][number];

/** Age of the oldest item, with the age at which the queue counts as stuck. */
const waitOf = ({ name, oldestSeconds }: Queue) => {
  const { stuckAfterMs, because }: QueueKind = queueKinds[name];
  return oldestSeconds === null ? null : (
    <span title={`Stuck after ${durationInWords(stuckAfterMs)}. ${because}`}>
      {durationInWords(oldestSeconds * 1000)}
    </span>
  );
};

const QueueStatus = ({ queue: { isStuck, isOff, failing } }: { queue: Queue }) => {
  if (isStuck) return <Badge status="stuck" />;
  if (isOff) return <Badge status="switched off" tone="calm" />;
  return failing > 0 ? <Badge status="failing" tone="busy">{` ${failing}`}</Badge> : <Badge status="waiting" />;
};

const factsOf = ({
  hour,
  day,
  schedule,
  databaseBytes,
  databaseLimitBytes,
  secrets,
  backup,
}: ShopHealth): Record<string, Child> => {
  const oldest = secrets.toSorted((a, b) => a.createdAt - b.createdAt)[0];
  return {
    "Requests in the last hour": requestsOf(hour),
    "Requests in 24 hours": requestsOf(day),
    "Last run of the schedule": <When at={schedule.finishedAt} none="never" />,
    "It took": schedule.durationMs === null ? null : `${(schedule.durationMs / 1000).toFixed(1)} s`,
    "Size of the database": `${formatBytes(databaseBytes)} of ${formatBytes(databaseLimitBytes)} (${percent(databaseBytes / databaseLimitBytes)})`,
    "Last backup": <LastBackup backup={backup} />,
    "Oldest secret": oldest && (
      <>
        <code>{oldest.name}</code>, seen since <When at={oldest.createdAt} brief="day" />
      </>
    ),
  };
};

const LastBackup = ({ backup }: Pick<ShopHealth, "backup">) =>
  backup.isSetUp ? (
    <>
      <a href="/admin/backups">
        <When at={backup.lastAt} none="none yet" />
      </a>{" "}
      {backup.isOverdue && <Badge status="overdue" />}
    </>
  ) : (
    <span class="muted">not set up</span>
  );

const Versions = ({ versions, runningVersion }: Pick<ShopHealth, "versions" | "runningVersion">) => (
  <section class="group">
    <h3>Deployments</h3>
    <Table
      label="Deployments"
      phone="lines"
      rows={versions}
      columns={[
        {
          title: "Version",
          cell: ({ version, release }) => (
            <>
              {release} <code title={version}>{version.slice(0, 8)}</code>
            </>
          ),
        },
        {
          title: "Status",
          cell: ({ version }) => (version === runningVersion ? <Badge status="running" tone="good" /> : null),
        },
        { title: "First seen", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Newest migration", wide: true, cell: ({ migration }) => migration && <code>{migration}</code> },
        {
          title: "Requests in 24 h",
          numeric: true,
          cell: ({ requests }) => requests?.requests.toLocaleString("en") ?? null,
        },
        { title: "95 % within", numeric: true, cell: ({ requests }) => requests && milliseconds(requests.p95) },
        { title: "Error rate", numeric: true, cell: ({ requests }) => requests && percent(requests.errorRate) },
      ]}
      none={<p class="muted">Versions appear here once the schedule has run.</p>}
    />
  </section>
);

const Resolved = ({ rows }: { rows: AlertRow[] }) => (
  <Card title="Resolved alerts">
    <Table
      label="Resolved alerts"
      phone="lines"
      rows={rows}
      columns={[
        { title: "Alert", cell: (row) => wordsOfAlert(row).title },
        { title: "Raised", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Resolved", cell: ({ resolvedAt }) => <When at={resolvedAt} /> },
      ]}
    />
  </Card>
);
